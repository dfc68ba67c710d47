#include <filesystem>

#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/commands/tasks/linked_file.hpp"
#include "cli/views/context_page.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "service/insight/context.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

constexpr std::size_t kLongestContextFile = 8U << 20U;
constexpr mode_t kContextFileMode = 0600;

Result<void> write_into(fs::path const& file, std::string const& page) try {
  auto const before = os::read_file_if_there(file, kLongestContextFile);
  write_through(file, with_block(before.value_or(""), page), kContextFileMode);
  return {};
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInternalError, error.what());
} catch (fs::filesystem_error const& error) {
  return core::refuse(Code::kInternalError, error.what());
}

}  // namespace

Result<CommandResult> describe_board(Invocation& in, boost::json::object request) {
  if (!request.contains("board")) ANDON_SET(request["board"], in.board_or_first());
  ANDON_TRY(auto answer, in.call<&service::board_context>(request));
  ANDON_TRY(auto const context, answer_as<service::BoardContext>(answer));
  auto const file = in.given().value("write-to").value_or("");
  if (!context.sections) answer.as_object()["sections"] = nullptr;
  if (file.empty()) return CommandResult{std::move(answer), context_page(context)};
  ANDON_CHECK(write_into(in.env().directory / file, context_page(context)));
  return CommandResult{nullptr, "Context written to " + file + "\n"};
}

}  // namespace andon::cli
