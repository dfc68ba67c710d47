#include "main/loops/step_loop.hpp"

#include <algorithm>

#include "os/processes/log.hpp"

namespace andon::main {
namespace {

/// The longest rest. A step returns its next time by the wall clock, which may be set meanwhile.
constexpr core::Duration kLongestRest = std::chrono::seconds{15};
/// How soon a server does what the leader does after it became one.
constexpr core::Duration kBetweenLooks = std::chrono::milliseconds{500};
constexpr core::Duration kAfterTrouble = std::chrono::seconds{5};

}  // namespace

StepLoop::StepLoop(api::LocalExecutor& executor, os::Clock const& clock, std::string name,
                   core::Duration between, Step step, Duty duty)
    : executor_(executor),
      clock_(clock),
      name_(std::move(name)),
      between_(between),
      step_(std::move(step)),
      duty_(duty),
      signal_(commit_signal_of(executor)) {
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

StepLoop::~StepLoop() {
  thread_.request_stop();
  signal_->notified.notify_all();
  thread_.join();
}

void StepLoop::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    {
      std::scoped_lock lock(signal_->mutex);
      signal_->changed = false;
    }
    auto const rest = std::clamp(look() - clock_.now(), between_, std::max(between_, kLongestRest));
    std::unique_lock lock(signal_->mutex);
    signal_->notified.wait_for(lock, stop, between_, [] { return false; });
    signal_->notified.wait_for(lock, stop, rest - between_, [this] { return signal_->changed; });
  }
}

core::Instant StepLoop::look() {
  try {
    if (duty_ == Duty::leader && !executor_.leads()) return clock_.now() + kBetweenLooks;
    return step_(clock_.now());
  } catch (std::exception const& error) {
    os::log(os::Level::error, "the loop of " + name_ + ": " + error.what());
    return clock_.now() + kAfterTrouble;
  }
}

}  // namespace andon::main
