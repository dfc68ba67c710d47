#include "main/loops/runner_loop.hpp"

#include <algorithm>

#include "os/processes/adopted_children.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/log.hpp"
#include "runner/supervision/run_cgroup.hpp"
#include "service/runs/run_report.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kWatchEvery =
    std::chrono::milliseconds{250};  ///< how soon the end of a live run is noticed
constexpr core::Duration kWatchFromAfar = std::chrono::milliseconds{500};  ///< each look costs requests
constexpr core::Duration kRestAtLeast =
    std::chrono::milliseconds{5};  ///< so that a burst of changes causes one step
constexpr core::Duration kLongestDispatchRest =
    std::chrono::seconds{1};  ///< a task may become pickable by time alone
constexpr core::Duration kReapEvery = std::chrono::seconds{15};

}  // namespace

RunnerLoop::RunnerLoop(RunnerWire& wire, os::Clock const& clock, runner::Launcher launcher,
                       os::DataDirectory const& data, std::function<std::string()> url, RunNews& news)
    : wire_(wire),
      clock_(clock),
      client_(wire.executor(), wire.name()),
      host_(client_, data, std::move(launcher), std::move(url),
            wire.is_remote() ? runner::DocumentsAt::server : runner::DocumentsAt::own_directory),
      dispatcher_(
          client_, data.agents,
          [&wire](auto const& worker, auto woken) { wire.wait_for_work(worker, std::move(woken)); },
          wire.is_remote() ? runner::WithoutAgent::pass_over : runner::WithoutAgent::pause),
      keeper_(client_, host_, wire.name()),
      machine_(client_, keeper_, data.root, os::shared_runtime_directory()),
      news_(news),
      watch_every_(wire.is_remote() ? kWatchFromAfar : kWatchEvery),
      wake_up_(clock.uptime()) {
  if (auto const group = os::delegated_cgroup()) runner::remove_left_cgroups(*group);
  os::adopt_orphans();
  signal_ = wire.signal();
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

RunnerLoop::~RunnerLoop() {
  thread_.request_stop();
  signal_->notified.notify_all();
  thread_.join();
}

void RunnerLoop::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    try {
      step();
    } catch (std::exception const& error) {
      os::log(os::Level::error, std::string{"the runner's loop: "} + error.what());
    }
    std::unique_lock lock(signal_->mutex);
    signal_->notified.wait_for(lock, stop, kRestAtLeast, [] { return false; });
    signal_->notified.wait_for(lock, stop, live_ > 0 ? watch_every_ : kLongestDispatchRest,
                               [this] { return signal_->changed; });
    signal_->changed = false;
  }
}

void RunnerLoop::step() {
  auto const uptime = clock_.uptime();
  if (wake_up_.happened(uptime)) wire_.note_wake_up();
  core::EventSeq seq = 0;
  {
    std::scoped_lock lock(signal_->mutex);
    seq = signal_->seq;
  }
  for (auto const& run : wire_.take_opened()) keeper_.begin(run);
  machine_.step(static_cast<std::size_t>(std::max(live_.load(), 0)), uptime);
  bool const must_end = must_end_all_;
  if (must_end) keeper_.end_all();
  // The keeper only waits for deadlines. It uses the uptime as its time, because nobody can set it.
  auto const live = keeper_.step(core::Instant{uptime}, uptime);
  auto const begun =
      dispatcher_.step(clock_.now(), seq, [this](core::Run const& run) { keeper_.begin(run); });
  live_ = static_cast<int>(live + begun);
  if (must_end) must_end_all_ = false;
  if (news_.note(keeper_.watched(), keeper_.trouble(), uptime)) keeper_.forget_trouble();
  if (uptime - reaped_ >= kReapEvery) {
    reaped_ = uptime;
    os::reap_adopted_children();
  }
}

}  // namespace andon::main
