#pragma once

#include <optional>
#include <string>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/time/time.hpp"
#include "runner/runs/end_record.hpp"

namespace andon::runner {

enum class HeartbeatAnswer {
  held,        ///< the lease was renewed
  advanced,    ///< the lease was renewed, and the run progressed since the last heartbeat, for example by a
               ///< write to the board
  reported,    ///< the lease was renewed; the agent has reported its work and should end
  stale,       ///< the claim is over: stop the agent
  cancelled,   ///< the run is to be stopped
  unreachable  ///< no answer, or none that decides about the claim
};
enum class FinishAnswer { accepted, refused, unreachable };

/// A progress report. At most one is sent in two seconds.
struct ProgressReport {
  core::Instant at{};
  std::string line;  ///< the last readable line
  std::string session;
  std::optional<core::Usage> usage;
};

/// The connection between a supervising process and the server. Calls come one at a time, but from several
/// threads. Each must return within ten seconds and must not throw.
class ServerLink {
 public:
  virtual ~ServerLink() = default;
  virtual HeartbeatAnswer heartbeat() = 0;
  /// When the last heartbeat that renewed the lease began, as a reading of `Clock::uptime`.
  virtual std::optional<core::Duration> renewed() const { return std::nullopt; }
  virtual void progress(ProgressReport const& report) = 0;
  /// Sends the directories of the run's work tree; false when the server did not record them.
  virtual bool keep_place(core::WorkPlace const& place) = 0;
  virtual FinishAnswer finish(EndRecord const& record) = 0;
};

}  // namespace andon::runner
