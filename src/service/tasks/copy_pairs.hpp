#pragma once

#include <vector>

#include "service/tasks/kernel/standing_task.hpp"

namespace andon::service {

/// Two tasks of a board of which one may be a copy of the other.
struct CopyPair {
  core::TaskId task = 0;  ///< the later one
  core::TaskId other = 0;
  int percent = 0;
  core::Instant noticed{};
};
void describe(auto& field, CopyPair const*) {
  field(&CopyPair::task, "task", "The later task", core::always);
  field(&CopyPair::other, "other", "The task that stood already", core::always);
  field(&CopyPair::percent, "percent", "Part of their words that both have, from 0 to 100", core::always);
  field(&CopyPair::noticed, "noticed", "When it was noticed", core::always);
}

/// The newest 200 pairs that the board keeps, newest first, also of tasks that are not open any more.
std::vector<CopyPair> copy_pairs(OperationContext& ctx, core::BoardId board);
void note_pair(OperationContext& ctx, core::Task const& task, StandingTask const& standing);
/// True when the pair was there. The tasks stand in any order.
bool drop_pair(OperationContext& ctx, core::BoardId board, core::TaskId a, core::TaskId b);
/// Drops all pairs that have the task.
void drop_pairs_of(OperationContext& ctx, core::BoardId board, core::TaskId task);

}  // namespace andon::service
