#include "main/commands/mcp_command.hpp"

#include <charconv>

#include "cli/command_line/invocation.hpp"
#include "mcp/board_features.hpp"
#include "mcp/protocol/stdio.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using core::Code;
using core::Result;

std::int64_t number_in(cli::Environment const& env, std::string_view variable) {
  auto const text = env.variable(variable);
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// The run in whose name an agent asks: it has the run's token, and the server knows its rights.
std::optional<service::RunScope> run_of(cli::Environment const& env) {
  service::RunScope scope;
  scope.run = core::RunId{number_in(env, "ANDON_RUN")};
  scope.task = core::TaskId{number_in(env, "ANDON_TASK")};
  if (scope.run == 0 || scope.task == 0 || env.variable("ANDON_TOKEN").empty()) return std::nullopt;
  scope.epoch = core::Epoch{number_in(env, "ANDON_EPOCH")};
  scope.board = env.variable("ANDON_BOARD");
  scope.worker = env.variable("ANDON_WORKER");
  return scope;
}

/// Runs a call on the board. Between calls a store is closed, so that others get at it.
core::Result<api::Answer> run_once(Invocation& in, api::Call call) {
  ANDON_TRY(auto const* open, in.connection());
  auto answer = open->executor->run(std::move(call));
  if (!open->server || !answer) in.disconnect();
  return answer;
}

/// A server waits for a task itself. A store is not held for so long: the caller picks again after the wait.
void run_call(Invocation& in, api::Call call, api::Reply reply) {
  auto const open = in.connection();
  if (!open) return reply(std::unexpected(open.error()));
  auto const wait = (*open)->server ? core::Duration{} : std::exchange(call.patience, {});
  auto answer = run_once(in, std::move(call));
  bool const has_none = !answer && answer.error().code == Code::kNothingToPick;
  if (has_none && in.env().pause) in.env().pause(wait);
  reply(std::move(answer));
}

Result<int> run_mcp(Invocation& in) {
  auto const names = in.given().value("names").value_or("andon");
  if (names != "andon" && names != "kanban-md")
    return core::refuse(Code::kInvalidInput, "\"" + names + "\" is no set of names; use andon or kanban-md",
                        "names");
  ANDON_TRY(auto const* open, in.connection());
  auto caller = open->caller;
  if (auto scope = open->server ? run_of(in.env()) : std::nullopt) {
    caller.role = service::Role::run;
    caller.run = std::move(scope);
  }
  if (!open->server) in.disconnect();
  mcp::BoardFeatures::Settings const settings{
      names == "kanban-md" ? mcp::Names::kanban_md : mcp::Names::andon, false};
  auto const features = std::make_shared<mcp::BoardFeatures>(
      [&in](api::Call call, api::Reply reply) { run_call(in, std::move(call), std::move(reply)); },
      std::move(caller), settings);
  mcp::Protocol protocol{{"andon", "Andon", in.env().version}, os::kSystemClock};
  mcp::serve_stdio(protocol, features, in.env().in, in.env().out);
  return 0;
}

}  // namespace

cli::NamedCommand mcp_command() {
  return {"mcp",
          "",
          "Serve the board to an agent over standard input: the Model Context Protocol.",
          {{"names", 0, cli::Takes::value, "Names of the tools: andon (the default) or kanban-md"}},
          &run_mcp};
}

}  // namespace andon::main
