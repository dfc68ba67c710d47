#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "store/engine/writer/commit_queue.hpp"
#include "store/engine/writer/parking.hpp"

namespace andon::store::engine {

/// The queued units of one transaction, in the order in which they run: urgent ones first, but they never
/// interrupt a running unit. Used by the writer's thread.
class Batch {
 public:
  Batch(CommitQueue& queue, BatchTransaction& transaction, Parking& parking)
      : queue_(queue), transaction_(transaction), parking_(parking) {}

  /// Urgent units pass those that wait in the batch.
  void add(CommitQueue::Arrivals arrivals);
  /// True when no unit waits for its run.
  bool is_empty() const { return waiting_.empty(); }
  /// Runs the units that wait, and those that arrive while the disk is busy, and writes their changes. The
  /// transaction has begun. Returns the answers of refused units, when the transaction was spoiled and is
  /// lost.
  Answers run(std::function<bool()> const& is_disk_busy);
  /// Parks the units that ran and wait, and returns the answers of the others.
  Answers take_ran();
  /// Returns the answers of all units that wait in the batch, and of parked ones whose time is over.
  Answers refuse();

 private:
  struct Ran {
    Submission unit;
    Attempt result{};
  };
  Answers run_each_alone();
  bool more_join(std::function<bool()> const& is_disk_busy);
  void run_first(std::size_t most, BatchTransaction::Undo undo);

  CommitQueue& queue_;
  BatchTransaction& transaction_;
  Parking& parking_;
  std::deque<Submission> waiting_;
  std::vector<Ran> ran_;
};

}  // namespace andon::store::engine
