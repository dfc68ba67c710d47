#pragma once

#include <span>

#include "cli/command_line/command.hpp"

namespace andon::cli {

/// An operation whose command does more than call it, or is called differently than its row says.
struct SpecialCommand {
  void const* operation;  ///< its service function, see `api::of`
  CommandHandler handler;
  std::string_view words{};       ///< empty: as in the row
  std::string_view positional{};  ///< empty: as in the row
  std::string_view summary{};     ///< empty: as in the row
};
std::span<SpecialCommand const> special_commands();

// The works of those commands.

/// Gives the bodies of tasks that were read from a board of files the line end that their files have.
void end_bodies(Invocation const& in, std::span<boost::json::value> tasks);

core::Result<CommandResult> call_operation(Invocation& in, boost::json::object request);

core::Result<CommandResult> create_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> list_tasks(Invocation& in, boost::json::object request);
core::Result<CommandResult> show_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> edit_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> move_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> delete_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> archive_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> pick_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> submit_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> complete_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> handoff_task(Invocation& in, boost::json::object request);
core::Result<CommandResult> heartbeat(Invocation& in, boost::json::object request);

core::Result<CommandResult> add_attachment(Invocation& in, boost::json::object request);
core::Result<CommandResult> write_attachment(Invocation& in, boost::json::object request);

core::Result<CommandResult> create_board(Invocation& in, boost::json::object request);
core::Result<CommandResult> edit_board(Invocation& in, boost::json::object request);
core::Result<CommandResult> attach_board(Invocation& in, boost::json::object request);
core::Result<CommandResult> show_board(Invocation& in, boost::json::object request);
core::Result<CommandResult> summarize_board(Invocation& in, boost::json::object request);
core::Result<CommandResult> show_worker(Invocation& in, boost::json::object request);
core::Result<CommandResult> measure_flow(Invocation& in, boost::json::object request);
core::Result<CommandResult> describe_board(Invocation& in, boost::json::object request);
core::Result<CommandResult> pause_dispatch(Invocation& in, boost::json::object request);
core::Result<CommandResult> resume_dispatch(Invocation& in, boost::json::object request);
core::Result<CommandResult> let_land(Invocation& in, boost::json::object request);
core::Result<CommandResult> reject_landing(Invocation& in, boost::json::object request);
core::Result<CommandResult> search_tasks(Invocation& in, boost::json::object request);
core::Result<CommandResult> list_tokens(Invocation& in, boost::json::object request);
core::Result<CommandResult> draw_dependencies(Invocation& in, boost::json::object request);
core::Result<CommandResult> add_automation(Invocation& in, boost::json::object request);
core::Result<CommandResult> edit_automation(Invocation& in, boost::json::object request);
core::Result<CommandResult> show_log(Invocation& in, boost::json::object request);

/// A repository as it counts from everywhere: a path of a person is one of their directory, and a server may
/// run anywhere.
std::string repo_from(std::filesystem::path const& directory, std::string const& repo);

}  // namespace andon::cli
