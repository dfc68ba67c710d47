#include "main/remote_runner/remote_wire.hpp"

#include "service/runs/dispatch.hpp"

namespace andon::main {
namespace {

constexpr std::size_t kRequests = 8;
constexpr core::Duration kWait = std::chrono::seconds{20};
constexpr std::chrono::seconds kWaitAnswerTime{35};
constexpr std::chrono::seconds kWireCallTime{5};
constexpr core::Duration kAfterRefusal = std::chrono::seconds{1};
/// Workers that become idle together ask together.
constexpr core::Duration kGathers = std::chrono::milliseconds{20};

}  // namespace

RemoteWire::RemoteWire(RunnerLink const& link) : link_(link), executor_(link, kWireCallTime) {
  for (std::size_t i = 0; i < kRequests; ++i)
    askers_.push_back(std::make_unique<LinkedExecutor>(link, kWaitAnswerTime));
  for (auto& asker : askers_)
    threads_.emplace_back([this, &asker](std::stop_token const& stop) { serve(stop, *asker); });
}

RemoteWire::~RemoteWire() {
  for (auto& thread : threads_) thread.request_stop();
  for (auto const& asker : askers_) asker->interrupt();
  changed_.notify_all();
}

void RemoteWire::wait_for_work(std::string const& worker, std::function<void()> woken) {
  {
    std::scoped_lock const lock(mutex_);
    waiting_[worker] = std::move(woken);
  }
  changed_.notify_one();
}

std::vector<core::Run> RemoteWire::take_opened() {
  std::scoped_lock const lock(mutex_);
  return std::exchange(opened_, {});
}

void RemoteWire::note_opened(core::Run run) {
  {
    std::scoped_lock const lock(mutex_);
    opened_.push_back(std::move(run));
  }
  std::scoped_lock const lock(signal_->mutex);
  signal_->seq = core::EventSeq{signal_->seq + 1};
  signal_->changed = true;
  signal_->notified.notify_all();
}

RemoteWire::Waiting RemoteWire::next_group(std::stop_token const& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
  changed_.wait_for(lock, stop, kGathers, [] { return false; });
  if (stop.stop_requested()) return {};
  return std::exchange(waiting_, {});
}

void RemoteWire::serve(std::stop_token const& stop, LinkedExecutor& executor) {
  while (!stop.stop_requested()) ask(stop, executor, next_group(stop));
}

/// Asks until each worker of the group has work. Workers that begin to wait meanwhile join it.
void RemoteWire::ask(std::stop_token const& stop, LinkedExecutor& executor, Waiting group) {
  while (!group.empty() && !stop.stop_requested()) {
    service::DispatchRequest request;
    for (auto const& [worker, woken] : group) request.workers.push_back(worker);
    request.wait = kWait;
    auto answer = executor.run(api::call_of<&service::dispatch_next>(std::move(request), {}));
    auto run = answer ? std::move(*answer).as<core::Run>() : std::unexpected(answer.error());
    if (run) {
      auto const found = group.find(run->worker);
      if (found != group.end()) {
        found->second();
        group.erase(found);
      }
      note_opened(*std::move(run));
    } else if (run.error().code != core::Code::kNothingToPick) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, kAfterRefusal, [] { return false; });
    }
    std::scoped_lock const lock(mutex_);
    group.merge(waiting_);
    waiting_.clear();
  }
}

}  // namespace andon::main
