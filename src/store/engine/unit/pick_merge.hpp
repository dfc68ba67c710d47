#pragma once

#include <optional>
#include <vector>

#include "core/tasks/pick.hpp"
#include "store/contract/query.hpp"
#include "store/engine/counters/held_queues.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// Merges the pick order of several columns and lanes. It reads each queue in pages, which grow while a pick
/// passes over tasks, and adds tasks whose time has come but which are not marked pickable yet.
class PickMerge {
 public:
  /// Leaves out the tasks that `held` has as held at `now`, and adds to `held`.
  PickMerge(Session& session, PickScope const& scope, std::vector<Candidate> due, Part part, int class_rank,
            HeldQueues& held, core::Instant now);
  /// The next task in pick order.
  std::optional<TaskRow> next();
  /// Records that the files of the last task are held until then. Only the tasks at the beginning of a queue
  /// are remembered, up to the first task that was not held.
  void hold_last(core::Instant until);

 private:
  struct Source {
    Queue queue;
    std::vector<Candidate> page{};
    std::size_t at = 0;
    std::size_t most = 0;     ///< tasks that the last page could have
    bool is_all_held = true;  ///< every task offered from it so far was held
    bool is_live() const { return at < page.size(); }
    Candidate& head() { return page[at]; }
  };
  /// A task that was offered, with its source and its place there.
  struct Offered {
    Source* source = nullptr;
    core::PickKey key;
    bool is_held = false;
  };
  void open(Queue queue);
  void read_page(Source& source, core::PickKey from);
  void advance(Source& source);
  void settle_offered();
  std::optional<TaskRow> smallest();

  Session& session_;
  Part part_;
  int class_rank_;
  HeldQueues& held_;
  core::Instant now_;
  std::vector<Source> sources_;
  std::vector<Candidate> due_;    ///< greatest first
  std::vector<Offered> offered_;  ///< the last task, once per tag under which it was found
};

}  // namespace andon::store::engine
