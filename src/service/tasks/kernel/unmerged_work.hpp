#pragma once

#include "core/error.hpp"
#include "core/model/run.hpp"

namespace andon::core {
struct Board;
}

namespace andon::service {

struct OperationContext;

/// Whether accepted work of the board's work trees is joined to the default branch by the server.
bool lands(core::Board const& board);

/// The run that found out last what the work of the task is: its last one, or an earlier one where that did
/// not get as far.
std::optional<core::Run> work_of(OperationContext& ctx, core::Task const& task);
bool is_work_of(OperationContext& ctx, core::Task const& task, core::Run const& run);

/// Whether the work of the task is in commits that are to be joined to the default branch.
bool has_work_to_land(OperationContext& ctx, core::Task const& task);

/// Gives accepted work of a task its place in its board's queue, when its last run has ended and left
/// commits.
void queue_landing(OperationContext& ctx, core::Task const& task);
/// Takes work out of the queue that was taken up again, also landed work that waits to be taken back.
void withdraw_landing(OperationContext& ctx, core::Task const& task);
/// The last run of a task, when its work waits to be landed, or for a person to say whether it lands.
std::optional<core::Run> waiting_run(OperationContext& ctx, core::Task const& task);
/// The runs whose work the task builds on (of its parent or a dependency) and that are not landed yet: a work
/// tree made now would lack it.
std::vector<core::Run> unlanded_work(OperationContext& ctx, core::Task const& task);

/// The runs whose work waits to be landed or taken back, in the order that was asked for.
std::vector<core::RunId> queued_runs(OperationContext& ctx);
/// The runs about whose work a person is asked, in the order of the questions.
std::vector<core::RunId> asked_runs(OperationContext& ctx);
/// The last runs whose work came back from landing. The task of such a run may have moved on since.
std::vector<core::RunId> returned_runs(OperationContext& ctx);
/// True when the work of the run exceeds the limits of its board and a person has not said whether it lands.
bool is_asked(core::Run const& run);
/// The run, when its work waits to be joined to the default branch or to be taken back there.
core::Result<core::Run> run_to_land(OperationContext& ctx, core::RunId id);
/// Records how far the landing of the run's work has come. Work that waits is in the queue, other work is
/// not.
void mark_landing(OperationContext& ctx, core::Run& run, core::LandingState state, std::string reason);

/// True when landed work of the run has its place in the queue to be taken back.
bool waits_to_be_reverted(core::Run const& run);
/// True when the work of the run was landed and not taken back.
bool is_on_default_branch(core::Run const& run);
/// The runs of the task whose work is on the default branch, newest first.
std::vector<core::Run> landed_runs(OperationContext& ctx, core::TaskId task);
/// The heads of that work which landed as one commit, newest first: the default branch does not have them.
std::vector<std::string> squashed_heads(OperationContext& ctx, core::TaskId task);
/// The run that stands in the queue because the landed work of the task is to be taken back.
std::optional<core::Run> run_being_reverted(OperationContext& ctx, core::TaskId task);
/// Gives the landed work of the run a place in the queue to be taken back.
void queue_revert(OperationContext& ctx, core::Run run, core::Revert revert);
/// Records how far the revert of the run's work has come; what waits no more leaves the queue.
void mark_revert(OperationContext& ctx, core::Run& run, core::RevertState state, std::string reason);

/// The checks that a task's work must pass: those it names, else, where its work is judged or landed, all of
/// its board.
std::vector<std::string> checks_of(core::Board const& board, core::Task const& task);

}  // namespace andon::service
