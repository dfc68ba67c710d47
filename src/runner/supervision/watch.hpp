#pragma once

#include <optional>

#include "core/time/time.hpp"
#include "runner/runs/end_record.hpp"
#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// Zero means no limit. `lease` always holds.
struct WatchLimits {
  core::Duration lease{};
  core::Duration total{};
  core::Duration first_event{};
  core::Duration silence{};
  core::Duration exit{};  ///< from the report to the end
};

/// Decides whether a run may go on. It keeps three clocks apart: whether the claim is held, whether the agent
/// prints, whether it gets on. All times are readings of `Clock::uptime`.
class Watch {
 public:
  Watch(WatchLimits limits, core::Duration started);

  /// A heartbeat that was begun at that time came back.
  void beat(HeartbeatAnswer answer, core::Duration begun);
  void output(core::Duration now) { output_ = now; }
  void progress() { has_begun_ = true; }
  /// What the server said of the agent's claim counts no more.
  void agent_ended() {
    told_.reset();
    limits_.exit = {};
  }
  bool has_reported() const { return reported_.has_value(); }
  void set_in_tool(bool in_tool) { in_tool_ = in_tool; }
  /// The agent was stopped where it is: every clock but that of the claim stands until `thaw`. False when
  /// that is so already.
  bool freeze(core::Duration now);
  bool thaw(core::Duration now);
  bool is_frozen() const { return frozen_.has_value(); }
  /// The machine slept: the server gets a moment to renew a lease that ended meanwhile.
  void woke(core::Duration now);

  std::optional<StopReason> verdict(core::Duration now) const;
  /// When the verdict can change by itself.
  core::Duration next() const;

 private:
  struct Deadline {
    StopReason reason;
    core::Duration at;
    bool is_set;
  };
  std::array<Deadline, 5> deadlines() const;

  WatchLimits limits_;
  core::Duration started_;
  core::Duration lease_end_;
  core::Duration output_;
  std::optional<core::Duration> reported_;
  std::optional<core::Duration> frozen_;
  bool has_begun_ = false;
  bool in_tool_ = false;
  std::optional<StopReason> told_;
};

}  // namespace andon::runner
