#pragma once

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "service/event_log.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"

namespace andon::service {

struct NoRequest;

/// One place in the queue, with what is needed to land it or to take it back.
struct LandingPlace {
  core::Run run;
  core::Task task;
  core::Board board;
  std::vector<std::string> checks;
  std::vector<core::Landing> take_back{};  ///< the landings to be taken back, newest first
  bool was_reverted = false;               ///< earlier work of the task was taken back
  std::vector<std::string> squashed{};     ///< heads of its earlier work that landed as one commit

  bool is_revert() const { return !take_back.empty(); }
};
void describe(auto& field, LandingPlace const*) {
  field(&LandingPlace::run, "run", "The run whose work it is", core::always);
  field(&LandingPlace::task, "task", "Its task", core::always);
  field(&LandingPlace::board, "board", "Its board", core::always);
  field(&LandingPlace::checks, "checks", "Checks to pass before it lands");
  field(&LandingPlace::take_back, "take_back", "The landings to be taken back, newest first");
  field(&LandingPlace::was_reverted, "was_reverted", "Whether earlier work of the task was taken back",
        core::set_only);
  field(&LandingPlace::squashed, "squashed", "Heads of earlier work of the task that landed as one commit");
}

struct LandingQueue {
  std::vector<LandingPlace> items;
};
void describe(auto& field, LandingQueue const*) {
  field(&LandingQueue::items, "items", "What waits, in the order it was accepted", core::always);
}
core::Result<LandingQueue> landing_queue(OperationContext& ctx, NoRequest const&);
/// A run with what is needed to land its work; nothing where the run, its task or its board is gone.
std::optional<LandingPlace> landing_place(OperationContext& ctx, core::RunId id);

struct PlanLandingRequest {
  core::RunId id = 0;
  std::string commit;
  std::string onto;
};
void describe(auto& field, PlanLandingRequest const*) {
  field(&PlanLandingRequest::id, "id");
  field(&PlanLandingRequest::commit, "commit");
  field(&PlanLandingRequest::onto, "onto");
}
/// Stores the commit to which the default branch is about to be moved. After a crash this tells whether it
/// was moved.
core::Result<core::Run> plan_landing(OperationContext& ctx, PlanLandingRequest const& request);

struct LandedRequest {
  core::RunId id = 0;
  std::string commit;
  std::string branch;  ///< the default branch
};
void describe(auto& field, LandedRequest const*) {
  field(&LandedRequest::id, "id");
  field(&LandedRequest::commit, "commit");
  field(&LandedRequest::branch, "branch");
}
/// Records that the work is part of the default branch, or that it is taken back there.
core::Result<core::Run> land_run(OperationContext& ctx, LandedRequest const& request);

struct NotLandedRequest {
  core::RunId id = 0;
  std::string reason;
  std::vector<std::string> files{};  ///< in conflict with the default branch
};
void describe(auto& field, NotLandedRequest const*) {
  field(&NotLandedRequest::id, "id");
  field(&NotLandedRequest::reason, "reason");
  field(&NotLandedRequest::files, "files");
}
/// Says what the work waits for; it keeps its place.
core::Result<core::Run> hold_landing(OperationContext& ctx, NotLandedRequest const& request);
/// The work cannot be joined: its task goes back, and the reason into the next prompt. Work that cannot be
/// taken back stays, and so does its task.
core::Result<core::Run> return_landing(OperationContext& ctx, NotLandedRequest const& request);

/// Writes into the history of the task, and on its card, what became of its work.
void tell_of_landing(OperationContext& ctx, core::Run const& run, Facts const& facts);
/// Sends work back: a failed attempt, also of work that was accepted before.
void return_work(OperationContext& ctx, core::Run& run, std::string const& reason);

}  // namespace andon::service
