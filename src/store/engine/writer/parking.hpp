#pragma once

#include <list>
#include <optional>

#include "store/engine/writer/batch_transaction.hpp"
#include "store/engine/writer/submission.hpp"

namespace andon::store::engine {

/// The units that returned `retry` and wait for changes, for a time or for their next turn. Each `run_…`
/// returns the answers of the units that need not wait any longer. Used by the writer's thread.
class Parking {
 public:
  /// The changes that parked units have not seen yet.
  Changes& unseen() { return unseen_; }
  bool is_empty() const { return parked_.empty(); }
  /// True when a parked unit can run at once.
  bool has_work() const;
  /// The time at which a parked unit has to run even when nothing was written. A database that others write
  /// to is looked at again soon.
  std::optional<Moment> next_deadline(Moment now, bool is_shared) const;
  /// From now on no unit waits.
  void close() { is_closing_ = true; }

  void park(Submission unit, Attempt attempt, Moment now);
  /// Continues one unit that had more to look at than one run may.
  Answers run_unfinished(BatchTransaction& transaction);
  /// Runs the units that the changes may concern.
  Answers run_concerned(BatchTransaction& transaction);
  /// Runs the units whose time has come.
  Answers run_due(BatchTransaction& transaction, Moment now);
  /// Notes when time alone may make a task pickable for a parked unit.
  void look_ahead(BatchTransaction& transaction, Moment now);
  /// Answers all units, or those whose patience is over.
  Answers refuse(std::exception_ptr const& trouble, Moment now, bool all);

 private:
  struct Parked {
    Submission unit;
    Interest interest{};
    Moment looked{};
    Moment deadline{};  ///< the end of its patience
  };
  using Place = std::list<Parked>::iterator;
  Place keep_or_answer(Place parked, Attempt attempt, Answers& answers);
  void run_pass(BatchTransaction& transaction, Changes seen, Answers& answers);

  std::list<Parked> parked_;  ///< in the order of arrival
  Changes unseen_;
  std::optional<Moment> next_time_;
  bool is_closing_ = false;
};

}  // namespace andon::store::engine
