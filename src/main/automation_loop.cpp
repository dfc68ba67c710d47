#include "main/automation_loop.hpp"

#include <algorithm>

#include "os/log.hpp"

namespace andon::main {
namespace {

/// Between two looks, however busy the board is.
constexpr core::Duration kBetween = std::chrono::milliseconds{250};
constexpr core::Duration kAfterTrouble = std::chrono::seconds{5};

}  // namespace

AutomationLoop::AutomationLoop(api::LocalExecutor& executor, os::Clock const& clock)
    : clock_(clock), desk_(executor, "automations") {
  executor.on_commit([bell = bell_](std::int64_t seq) {
    std::scoped_lock lock(bell->mutex);
    bell->seq = seq;
    bell->changed = true;
    bell->rung.notify_all();
  });
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

AutomationLoop::~AutomationLoop() {
  thread_.request_stop();
  bell_->rung.notify_all();
  thread_.join();
}

void AutomationLoop::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    {
      std::scoped_lock lock(bell_->mutex);
      bell_->changed = false;
    }
    auto const rest = std::max(step() - clock_.now(), kBetween);
    std::unique_lock lock(bell_->mutex);
    bell_->rung.wait_for(lock, stop, kBetween, [] { return false; });
    bell_->rung.wait_for(lock, stop, rest - kBetween, [this] { return bell_->changed; });
  }
}

core::Instant AutomationLoop::step() {
  try {
    return scheduler_.step(clock_.now());
  } catch (std::exception const& error) {
    os::log(os::Level::error, std::string{"the automations' loop: "} + error.what());
    return clock_.now() + kAfterTrouble;
  }
}

}  // namespace andon::main
