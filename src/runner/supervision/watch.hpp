#pragma once

#include <optional>

#include "core/time/time.hpp"
#include "runner/runs/end_record.hpp"
#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// Time limits of a run. Zero means no limit, except for `lease`.
struct WatchLimits {
  core::Duration lease{};
  core::Duration total{};
  core::Duration first_event{};
  core::Duration silence{};
  core::Duration exit{};              ///< from the agent's report to its end
  core::Duration wake_grace{10'000};  ///< to renew a lease that ended while the machine slept
};

/// Decides whether a run may continue. It separates three questions: whether the claim holds, whether the
/// agent prints, and whether it progresses. All times are readings of `Clock::uptime`.
class Watch {
 public:
  /// The lease runs from `renewed`, the beginning of the last heartbeat that renewed it, or else from
  /// `started`.
  Watch(WatchLimits limits, core::Duration started, std::optional<core::Duration> renewed = {});

  /// Records the answer to a heartbeat that began at that time.
  void note_heartbeat(HeartbeatAnswer answer, core::Duration begun);
  void output(core::Duration now) { output_ = now; }
  void progress() { has_begun_ = true; }
  /// Ignores the server's statements about the claim from now on.
  void agent_ended() {
    ordered_stop_.reset();
    limits_.exit = {};
  }
  bool has_reported() const { return reported_.has_value(); }
  void set_in_tool(bool in_tool) { in_tool_ = in_tool; }
  /// Freezes the agent's clocks until `thaw`; the lease still runs. False when they are frozen already.
  bool freeze(core::Duration now);
  bool thaw(core::Duration now);
  bool is_frozen() const { return frozen_.has_value(); }
  /// Notes that the machine slept, so that the server gets time to renew a lease that ended meanwhile.
  void woke(core::Duration now);

  std::optional<StopReason> verdict(core::Duration now) const;
  /// The next time at which the verdict can change without an event.
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
  std::optional<StopReason> ordered_stop_;
};

}  // namespace andon::runner
