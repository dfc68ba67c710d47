#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/task.hpp"
#include "core/tasks/likeness.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// A task of the board that a new or changed task is like.
struct StandingTask {
  core::Task task;
  core::Comparison comparison;
};

/// The search for tasks that another one may be a copy of.
struct CopySearch {
  core::BoardId board = 0;
  core::Task const& task;              ///< with its body; its id is 0 when it is new
  std::vector<core::TaskId> others{};  ///< tasks of which it is known not to be a copy
  std::string but_made_by{};           ///< tasks that this actor made are left out; empty for none
  bool only_open = false;
};

/// The task that the searched one is most like: an open one, or one that was finished within the last seven
/// days. Nothing when none is near. Of equally like tasks it is the newest.
std::optional<StandingTask> find_standing_task(OperationContext& ctx, CopySearch const& search);

/// `#12 "Fix the cart"`.
std::string name_of(core::Task const& task);

}  // namespace andon::service
