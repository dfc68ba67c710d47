#pragma once

#include <string>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/time/time.hpp"
#include "runner/runs/end_record.hpp"

namespace andon::runner {

enum class HeartbeatAnswer {
  held,        ///< the lease was renewed
  advanced,    ///< so it was, and the run got on since the last time: it wrote to the board, say
  reported,    ///< so it was; the agent has reported its work and is to end
  stale,       ///< the claim is over: stop the agent
  cancelled,   ///< the run is to be stopped
  unreachable  ///< nobody answered, or not in a way that decides anything
};
enum class FinishAnswer { accepted, refused, unreachable };

/// A sign of progress, at most one every two seconds.
struct ProgressReport {
  core::Instant at{};
  std::string line;  ///< the last one for people
  std::string session;
  std::optional<core::Usage> usage;
};

/// How a supervising process speaks with the server. Calls come one at a time, from more than one thread;
/// each must return within ten seconds and must not throw.
class ServerLink {
 public:
  virtual ~ServerLink() = default;
  virtual HeartbeatAnswer heartbeat() = 0;
  virtual void progress(ProgressReport const& report) = 0;
  /// Tells which directories the run's work tree consists of; false when the server does not keep it.
  virtual bool keep_place(core::WorkPlace const& place) = 0;
  virtual FinishAnswer finish(EndRecord const& record) = 0;
};

}  // namespace andon::runner
