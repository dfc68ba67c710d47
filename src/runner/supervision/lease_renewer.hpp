#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "os/files/descriptor.hpp"
#include "os/processes/clock.hpp"
#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// What came back from one heartbeat.
struct HeartbeatReply {
  HeartbeatAnswer answer{};
  core::Duration begun{};
};

/// Beats on a thread of its own, so that neither a flood of output nor a slow server holds the other up.
/// Heartbeats follow the clock alone and never the agent's output.
class LeaseRenewer {
 public:
  LeaseRenewer(ServerLink& link, core::Duration every, os::Clock const& clock);
  LeaseRenewer(LeaseRenewer const&) = delete;
  ~LeaseRenewer();

  /// Readable when there are beats to take.
  int handle() const { return ready_.get(); }
  std::vector<HeartbeatReply> take();
  /// Passed on soon; a newer one replaces an older one that waits.
  void report(ProgressReport report);
  void beat_now();

 private:
  void run(std::stop_token const& stop);
  HeartbeatAnswer beat();

  ServerLink& link_;
  core::Duration every_;
  os::Clock const& clock_;
  os::Descriptor ready_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<HeartbeatReply> beats_;
  std::optional<ProgressReport> report_;
  bool is_due_ = true;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace andon::runner
