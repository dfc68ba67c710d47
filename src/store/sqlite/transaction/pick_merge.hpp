#pragma once

#include <optional>
#include <vector>

#include "core/tasks/pick.hpp"
#include "store/contract/query.hpp"
#include "store/sqlite/counters/held_queues.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Merges the pick order of several columns and lanes: one lazily stepped index cursor each, and tasks whose
/// time has come but which are not marked pickable yet.
class PickMerge {
 public:
  /// What is held at `now` is left out; it is remembered there.
  PickMerge(Connection& db, PickScope const& scope, std::vector<core::PickKey> due, Part part, int class_rank,
            HeldQueues& held, core::Instant now);
  /// The next task in pick order.
  std::optional<core::TaskId> next();
  /// The last one is held by its files until then. Only what stands unbroken at the beginning of its queue is
  /// remembered.
  void hold_last(core::Instant until);

 private:
  struct Source {
    Statement cursor;
    Queue queue;
    core::PickKey head;
    bool live = true;
    bool is_all_held = true;  ///< everything of it that was offered so far
  };
  /// One that is offered no more: from which source it came, and where it stood there.
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
  std::vector<Offered> offered_;    ///< the last one: a task stands under each of its tags
};

}  // namespace andon::store::sqlite
