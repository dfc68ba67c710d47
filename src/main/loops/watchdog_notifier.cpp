#include "main/loops/watchdog_notifier.hpp"

#include <atomic>

#include "store/writer_probe.hpp"

namespace andon::main {
namespace {

/// Three notifications per watchdog period, so two may be late without a restart.
constexpr int kSignsPerWatch = 3;

}  // namespace

/// Shared with the writer, which may answer after the notifier is gone.
struct WatchdogNotifier::Probe {
  os::ServiceManager manager;
  std::atomic<bool> is_under_way = false;
};

WatchdogNotifier::WatchdogNotifier(store::Store& store, os::ServiceManager const& manager)
    : store_(store), probe_(std::make_shared<Probe>(manager)) {
  if (manager.is_there() && manager.watchdog()) every_ = *manager.watchdog() / kSignsPerWatch;
}

void WatchdogNotifier::step(core::Duration uptime) {
  if (!every_ || uptime < due_ || probe_->is_under_way.exchange(true)) return;
  due_ = uptime + *every_;
  store::probe_writer(store_, [probe = probe_](std::exception_ptr const& trouble) {
    if (!trouble) probe->manager.tell("WATCHDOG=1");
    probe->is_under_way = false;
  });
}

}  // namespace andon::main
