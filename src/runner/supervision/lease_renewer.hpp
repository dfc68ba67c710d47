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

/// The answer to one heartbeat, and when the heartbeat began.
struct HeartbeatReply {
  HeartbeatAnswer answer{};
  core::Duration begun{};
};

/// Sends heartbeats from its own thread, so that a flood of output and a slow server do not delay each other.
/// The clock alone triggers heartbeats, never the agent's output.
class LeaseRenewer {
 public:
  LeaseRenewer(ServerLink& link, core::Duration every, os::Clock const& clock);
  LeaseRenewer(LeaseRenewer const&) = delete;
  ~LeaseRenewer();

  /// Readable when `take` has replies.
  int handle() const { return ready_.get(); }
  std::vector<HeartbeatReply> take();
  /// Sends a progress report soon. A newer report replaces one that still waits.
  void report(ProgressReport report);
  void renew_now();

 private:
  void run(std::stop_token const& stop);
  HeartbeatAnswer renew();

  ServerLink& link_;
  core::Duration every_;
  os::Clock const& clock_;
  os::Descriptor ready_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<HeartbeatReply> replies_;
  std::optional<ProgressReport> report_;
  bool is_due_ = true;
  std::jthread thread_;  // last: it uses all members above
};

}  // namespace andon::runner
