#include "runner/supervision/lease_renewer.hpp"

#include <sys/eventfd.h>
#include <utility>

#include "os/system_error.hpp"

namespace andon::runner {
namespace {

/// While the server does not answer, heartbeats come this many times as often. So a short restart does not
/// lose the lease.
constexpr int kFasterWhenUnreachable = 5;

os::Descriptor make_event() {
  os::Descriptor event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!event) os::fail("make an event descriptor");
  return event;
}

}  // namespace

LeaseRenewer::LeaseRenewer(ServerLink& link, core::Duration every, os::Clock const& clock)
    : link_(link),
      every_(every),
      clock_(clock),
      ready_(make_event()),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

LeaseRenewer::~LeaseRenewer() {
  thread_.request_stop();
  changed_.notify_all();
}

std::vector<HeartbeatReply> LeaseRenewer::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] auto const n = ::read(ready_.get(), &count, sizeof count);
  std::scoped_lock const lock{mutex_};
  return std::exchange(replies_, {});
}

void LeaseRenewer::report(ProgressReport report) {
  std::scoped_lock const lock{mutex_};
  report_ = std::move(report);
  changed_.notify_all();
}

void LeaseRenewer::renew_now() {
  std::scoped_lock const lock{mutex_};
  is_due_ = true;
  changed_.notify_all();
}

HeartbeatAnswer LeaseRenewer::renew() {
  auto const begun = clock_.uptime();
  auto const answer = link_.heartbeat();
  std::scoped_lock const lock{mutex_};
  replies_.push_back({answer, begun});
  std::uint64_t const one = 1;
  [[maybe_unused]] auto const n = ::write(ready_.get(), &one, sizeof one);
  return answer;
}

void LeaseRenewer::run(std::stop_token const& stop) {
  std::unique_lock lock{mutex_};
  auto next = clock_.uptime();
  while (!stop.stop_requested()) {
    changed_.wait_for(lock, stop, next - clock_.uptime(), [this] { return is_due_ || report_; });
    if (stop.stop_requested()) return;
    if (auto const report = std::exchange(report_, {})) {
      lock.unlock();
      link_.progress(*report);
      lock.lock();
    }
    if (!is_due_ && clock_.uptime() < next) continue;
    is_due_ = false;
    lock.unlock();
    auto const unreachable = renew() == HeartbeatAnswer::unreachable;
    lock.lock();
    next = clock_.uptime() + (unreachable ? every_ / kFasterWhenUnreachable : every_);
  }
}

}  // namespace andon::runner
