#include "main/loops/runner_loop.hpp"

#include "os/processes/adopted_children.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/log.hpp"
#include "runner/dispatch/upkeep.hpp"
#include "runner/output/run_log.hpp"
#include "runner/supervision/run_cgroup.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/sweep.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kWatchEvery =
    std::chrono::milliseconds{250};  ///< how soon the end of a live run is noticed
constexpr core::Duration kRestAtLeast =
    std::chrono::milliseconds{5};  ///< so that a burst of changes causes one step
constexpr core::Duration kLongestDispatchRest =
    std::chrono::seconds{1};  ///< a task may become pickable by time alone
constexpr core::Duration kReapEvery = std::chrono::seconds{15};
constexpr core::Duration kWaitForWork =
    std::chrono::minutes{1};  ///< then the request for an idle worker is renewed

}  // namespace

RunnerLoop::RunnerLoop(api::LocalExecutor& executor, os::Clock const& clock, runner::Launcher launcher,
                       os::DataDirectory const& data, std::function<std::string()> url, TellLine tell_line)
    : executor_(executor),
      clock_(clock),
      launcher_(launcher),
      client_(executor, executor.server()),
      host_(client_, data, std::move(launcher), std::move(url)),
      dispatcher_(client_, data.agents,
                  [this](auto const& worker, auto woken) { wait_for_work(worker, woken); }),
      keeper_(client_, host_, executor.server()),
      machine_(client_, keeper_, data.root),
      lines_(client_, launcher_, std::move(tell_line)),
      wake_up_(clock.uptime()) {
  executor_.write([&data](service::OperationContext& u) {
    u.tx.number_runs_after(runner::highest_run_directory(data.runs()));
    service::set_runner(u, true);
    return true;
  });
  static_cast<void>(client_.call<&service::extend_leases>());
  if (auto const group = os::delegated_cgroup()) runner::remove_left_cgroups(*group);
  os::adopt_orphans();
  signal_ = commit_signal_of(executor_);
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

RunnerLoop::~RunnerLoop() {
  thread_.request_stop();
  signal_->notified.notify_all();
  *is_gone_ = true;
  thread_.join();
  executor_.write([](service::OperationContext& u) {
    service::set_runner(u, false);
    return true;
  });
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
    signal_->notified.wait_for(lock, stop, live_ > 0 ? kWatchEvery : kLongestDispatchRest,
                               [this] { return signal_->changed; });
    signal_->changed = false;
  }
}

void RunnerLoop::step() {
  auto const uptime = clock_.uptime();
  if (wake_up_.happened(uptime)) static_cast<void>(client_.call<&service::extend_leases>());
  core::EventSeq seq = 0;
  {
    std::scoped_lock lock(signal_->mutex);
    seq = signal_->seq;
  }
  machine_.step(live_, uptime);
  // The keeper only waits for deadlines. It uses the uptime as its time, because nobody can set it.
  live_ = keeper_.step(core::Instant{uptime}, uptime);
  live_ += dispatcher_.step(clock_.now(), seq, [this](core::Run const& run) { keeper_.begin(run); });
  if (uptime - reaped_ >= kReapEvery) {
    reaped_ = uptime;
    os::reap_adopted_children();
  }
  if (live_ > 0) lines_.step(uptime);
}

/// Starts a `dispatch_next` that waits. If it opens a run, its commit causes the next step, in which the
/// keeper begins the run.
void RunnerLoop::wait_for_work(std::string const& worker, std::function<void()> woken) {
  auto call = api::call_of<&service::dispatch_next>(service::DispatchRequest{worker, executor_.server()},
                                                    client_.caller());
  call.patience = kWaitForWork;
  call.abandoned = is_gone_;
  executor_.start(std::move(call), [woken = std::move(woken)](core::Result<api::Answer> const&) { woken(); });
}

}  // namespace andon::main
