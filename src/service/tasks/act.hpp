#pragma once

#include "service/tasks/kernel/agent_report.hpp"
#include "service/tasks/kernel/engine_act.hpp"
#include "service/tasks/kernel/new_task.hpp"

namespace andon::service {

// An act on a task: load it, apply a verb as its row in core/tasks/verbs.cpp says, save it, react to it.

/// Carries out a verb for the caller and returns the task as it is now. A run's report on its own work is
/// kept until the run has ended; an agent that works on the task is stopped first, and the verb takes effect
/// when no process of it is left.
core::Result<core::Task> act(OperationContext& ctx, core::Verb verb, TaskRef const& ref, Proof const& proof,
                             core::VerbInput const& input = {});
/// The outcome of a verb on an open task: how the change is to be saved.
struct Acted {
  core::EventKind event = core::EventKind::task_edited;
  Facts facts{};
  bool is_stopping = false;  ///< its agent is stopped first; the verb takes effect later
};
/// Carries out a verb on an open change whose guards hold: as the report of a run, as an order to stop the
/// agent, or at once. The caller saves the change.
core::Result<Acted> carry_out(OperationContext& ctx, Change& change, core::Verb verb,
                              core::VerbInput const& input = {});
/// Refuses what `act` refuses for a verb on an open task; writes nothing. The situation holds the facts for
/// every verb, see `situation_of`.
core::Result<void> check_act(OperationContext& ctx, Change const& change, core::Verb verb,
                             core::Situation const& situation);

/// Writes the change with its event and everything that follows from it: those that depend on it, its parent,
/// its chain. Returns the task as it is now.
core::Task save(OperationContext& ctx, Change& change, core::EventKind kind, Facts const& facts = {});
/// Saves that the agent of the task is being stopped, because of the verb.
core::Task save_stopping(OperationContext& ctx, Change& change, core::Verb verb);
/// Writes the report of a run on its own work and returns the task with the notice of how it goes on.
core::Task keep_report(OperationContext& ctx, Change& change, Report const& report);

/// Stores a new task and everything that follows from it.
core::Task add_task(OperationContext& ctx, core::Task task, ImportedTimestamps const& past = {});
/// Like `store_ready_task`, with everything that follows from it.
core::Task add_ready_task(OperationContext& ctx, core::Board const& board, core::Task task,
                          std::string const& status);
/// Counts the progress of a task's sub-tasks again, and everything that follows from it.
void update_progress(OperationContext& ctx, core::TaskId parent);
/// Gives room in the ready column to approved tasks that wait in the backlog stage, in pick order; to so many
/// as one unit of work can take. True when there is room for more.
bool fill_ready_column(OperationContext& ctx, core::Board const& board);

}  // namespace andon::service
