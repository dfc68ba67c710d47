#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "os/processes/clock.hpp"
#include "service/runs/clock_steps.hpp"
#include "store/contract/tx.hpp"

namespace andon::api {

/// `follow` moves leases and timers of a store when the wall clock is set. Those of a board of files stand
/// in the files, where every program judges them by its own wall clock.
enum class ClockSteps { follow, ignore };

/// The time of units of work, the only place where an executor reads the clock. When the wall clock is set,
/// this time continues as before until the store's leases and timers were moved by the step, and follows
/// then. Thread-safe. It is shared with units that may run after the executor is gone. The clock outlives the
/// store.
class Timeline : public std::enable_shared_from_this<Timeline> {
 public:
  Timeline(os::Clock const& clock, ClockSteps steps) : clock_(clock), steps_(steps) {}

  core::Instant now() const;
  /// The time inside a unit, which may have to tell first by which reading the store's times go.
  core::Instant now_in(store::Tx& tx);
  /// Puts the store's times in order when they are not, in a unit before those that are submitted later.
  void follow(store::Store& store);
  /// Extends leases by the time in which no server ran. Returns when that is stored.
  void follow_absence(store::Store& store);
  /// Inside a unit that is kept: notes now and then that all was in order.
  void note(service::OperationContext& ctx);

 private:
  bool must_follow() const;
  void follow_in(store::Tx& tx, service::Absence absence);
  void settle(std::optional<core::ClockReading> kept);
  std::optional<core::ClockReading> kept() const;

  os::Clock const& clock_;
  ClockSteps const steps_;
  std::atomic<bool> is_following_ = false;
  std::atomic<bool> is_known_ = false;
  mutable std::mutex mutex_;
  std::optional<core::ClockReading> kept_;  ///< by which the store's times go; guarded by mutex_
};

}  // namespace andon::api
