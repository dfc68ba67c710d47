#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "mcp/tools/tools.hpp"

using namespace andon;

namespace {

std::string row_of(mcp::OfferedTool const& tool) {
  auto const& how = tool.operation->tool;
  std::string_view const effect = tool.operation->effect == api::Effect::read      ? "reads"
                                  : tool.operation->effect == api::Effect::destroy ? "destroys"
                                                                                   : "changes";
  return "| `" + tool.name + "` | " + std::string{how.says} + " | " + std::string{effect} + " | " +
         (how.of_run.empty() ? "" : "yes") + " |\n";
}

std::string document() {
  std::string out =
      "# MCP tools\n\nMade of the operation table; the protocol tells the arguments and results of each. How "
      "to connect: "
      "[mcp.md](../mcp.md).\n\n| tool | what it does | | for an agent's run |\n| --- | --- | --- | --- |\n";
  service::Caller const person{{core::ActorKind::user, "ann"}, service::Role::person, core::Source::api, {}};
  for (auto const& tool : mcp::tools_for(person, mcp::Names::andon)) out += row_of(tool);
  return out;
}

std::filesystem::path file() {
  return std::filesystem::path{std::getenv("ANDON_SOURCE")} / "docs/reference/mcp-tools.md";
}

}  // namespace

TEST_CASE("McpReference.IsWhatTheTableSays") {
  // ANDON_WRITE_REFERENCE=1 writes it anew after a change of the table.
  if (std::getenv("ANDON_WRITE_REFERENCE")) std::ofstream(file()) << document();
  std::ifstream in(file());
  CHECK(std::string{std::istreambuf_iterator<char>(in), {}} == document());
}
