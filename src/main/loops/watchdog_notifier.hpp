#pragma once

#include <memory>
#include <optional>

#include "core/time/time.hpp"
#include "os/processes/service_manager.hpp"
#include "store/contract/store.hpp"

namespace andon::main {

/// Tells the service manager that the server is alive, but only when its writer has got through a unit of
/// work: a server that cannot write any more is to be started anew.
class WatchdogNotifier {
 public:
  /// The store outlives it.
  WatchdogNotifier(store::Store& store, os::ServiceManager const& manager);

  /// Sends a unit of work through the writer when it is time; the answer is the sign of life.
  void step(core::Duration uptime);
  /// How long to wait for the next step; nothing when nobody watches.
  std::optional<core::Duration> rest() const { return every_; }

 private:
  struct Probe;

  store::Store& store_;
  std::optional<core::Duration> every_;
  core::Duration due_{};
  std::shared_ptr<Probe> probe_;
};

}  // namespace andon::main
