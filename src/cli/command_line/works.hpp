#pragma once

#include <span>

#include "cli/command_line/command.hpp"

namespace andon::cli {

// The works of operations whose command does more than call them.

/// Gives the bodies of tasks that were read from a board of files the line end that their files have.
void end_bodies(Invocation const& in, std::span<boost::json::value> tasks);

core::Result<Done> call_operation(Invocation& in, boost::json::object request);

core::Result<Done> create_task(Invocation& in, boost::json::object request);
core::Result<Done> list_tasks(Invocation& in, boost::json::object request);
core::Result<Done> show_task(Invocation& in, boost::json::object request);
core::Result<Done> edit_task(Invocation& in, boost::json::object request);
core::Result<Done> move_task(Invocation& in, boost::json::object request);
core::Result<Done> delete_task(Invocation& in, boost::json::object request);
core::Result<Done> archive_task(Invocation& in, boost::json::object request);
core::Result<Done> pick_task(Invocation& in, boost::json::object request);
core::Result<Done> handoff_task(Invocation& in, boost::json::object request);
core::Result<Done> heartbeat(Invocation& in, boost::json::object request);

core::Result<Done> create_board(Invocation& in, boost::json::object request);
core::Result<Done> attach_board(Invocation& in, boost::json::object request);
core::Result<Done> show_board(Invocation& in, boost::json::object request);
core::Result<Done> summarize_board(Invocation& in, boost::json::object request);
core::Result<Done> measure_flow(Invocation& in, boost::json::object request);
core::Result<Done> describe_board(Invocation& in, boost::json::object request);
core::Result<Done> pause_dispatch(Invocation& in, boost::json::object request);
core::Result<Done> resume_dispatch(Invocation& in, boost::json::object request);
core::Result<Done> search_tasks(Invocation& in, boost::json::object request);
core::Result<Done> list_tokens(Invocation& in, boost::json::object request);
core::Result<Done> draw_dependencies(Invocation& in, boost::json::object request);
core::Result<Done> add_automation(Invocation& in, boost::json::object request);
core::Result<Done> edit_automation(Invocation& in, boost::json::object request);
core::Result<Done> show_log(Invocation& in, boost::json::object request);

}  // namespace andon::cli
