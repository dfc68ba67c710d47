#pragma once

#include <optional>
#include <vector>

#include "core/tasks/pick.hpp"
#include "store/contract/query.hpp"
#include "store/sqlite/counters/held_queues.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Merges the pick order of several columns and lanes. It steps one index cursor per queue and adds tasks
/// whose time has come but which are not marked pickable yet.
class PickMerge {
 public:
  /// Leaves out the tasks that `held` has as held at `now`, and adds to `held`.
  PickMerge(Connection& db, PickScope const& scope, std::vector<core::PickKey> due, Part part, int class_rank,
            HeldQueues& held, core::Instant now);
  /// The next task in pick order.
  std::optional<core::TaskId> next();
  /// Records that the files of the last task are held until then. Only the tasks at the beginning of a queue
  /// are remembered, up to the first task that was not held.
  void hold_last(core::Instant until);

 private:
  struct Source {
    Statement cursor;
    Queue queue;
    core::PickKey head;
    bool live = true;
    bool is_all_held = true;  ///< whether every task offered from it so far was held
  };
  /// A task that was offered, with its source and its place there.
  struct Offered {
    Source* source = nullptr;
    core::PickKey key;
    bool is_held = false;
  };
  void open(Connection& db, Queue queue);
  void settle_offered();
  void advance(Source& source);
  std::optional<core::TaskId> smallest();

  Part part_;
  int class_rank_;
  HeldQueues& held_;
  core::Instant now_;
  std::vector<Source> sources_;
  std::vector<core::PickKey> due_;  ///< greatest first
  std::vector<Offered> offered_;    ///< the last task, once per tag under which it was found
};

}  // namespace andon::store::sqlite
