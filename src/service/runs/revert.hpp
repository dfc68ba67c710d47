#pragma once

#include "core/model/run.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct RevertRequest {
  TaskRef id;
  core::AfterRevert then = core::AfterRevert::reopen;
  std::string reason;
};
void describe(auto& field, RevertRequest const*) {
  field(&RevertRequest::id, kIdField);
  field(&RevertRequest::then, "then", "What becomes of the task: reopen or close");
  field(&RevertRequest::reason, "reason", "Why; a task that is open again tells it to the next agent");
}

/// Puts the landed work of a finished task into the landing queue to be taken back by a new commit: all of
/// it, when it landed several times. Refuses while landed or running work of others builds on it, with their
/// names. Only a person may do so.
core::Result<core::Task> revert_task(OperationContext& ctx, RevertRequest const& request);

/// Refuses what `revert_task` refuses because of the task itself. It looks at no other task, so that each
/// answer about a task can say whether its work can be taken back.
core::Result<void> check_revert(OperationContext& ctx, core::Task const& task);

struct LandedWorkRequest {
  std::string board;
};
void describe(auto& field, LandedWorkRequest const*) { field(&LandedWorkRequest::board, "board"); }

/// Work that came to the default branch of a board, and how it was taken back.
struct LandedWork {
  core::TaskId task = 0;
  std::string title;
  core::Landing landing;
  std::optional<core::Revert> revert{};
};
void describe(auto& field, LandedWork const*) {
  field(&LandedWork::task, "task");
  field(&LandedWork::title, "title");
  field(&LandedWork::landing, "landing");
  field(&LandedWork::revert, "revert");
}
struct LandedWorks {
  std::vector<LandedWork> items;  ///< newest run first
};
void describe(auto& field, LandedWorks const*) { field(&LandedWorks::items, "items"); }
/// The work that landed on the board of late, so that later commits can be named by their tasks.
core::Result<LandedWorks> landed_work(OperationContext& ctx, LandedWorkRequest const& request);

}  // namespace andon::service
