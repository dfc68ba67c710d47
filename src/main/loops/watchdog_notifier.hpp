#pragma once

#include <memory>
#include <optional>

#include "core/time/time.hpp"
#include "os/processes/service_manager.hpp"
#include "store/contract/tx.hpp"

namespace andon::main {

/// Notifies the service manager's watchdog, but only after the writer finished a unit of work. So the manager
/// restarts a server that cannot write any more.
class WatchdogNotifier {
 public:
  /// The store must outlive the notifier.
  WatchdogNotifier(store::Store& store, os::ServiceManager const& manager);

  /// When it is time, sends a unit of work to the writer. The watchdog is notified when that unit is done.
  void step(core::Duration uptime);
  /// The longest wait before the next step; nothing without a watchdog.
  std::optional<core::Duration> rest() const { return every_; }

 private:
  struct Probe;

  store::Store& store_;
  std::optional<core::Duration> every_;
  core::Duration due_{};
  std::shared_ptr<Probe> probe_;
};

}  // namespace andon::main
