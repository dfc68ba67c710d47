#include "main/landing_loop.hpp"

#include <algorithm>

#include "os/log.hpp"
#include "os/process.hpp"

namespace andon::main {
namespace {

/// Between two looks, however busy the board is.
constexpr core::Duration kBetween = std::chrono::milliseconds{50};
constexpr core::Duration kAfterTrouble = std::chrono::seconds{5};

}  // namespace

LandingLoop::LandingLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
                         std::filesystem::path const& program)
    : clock_(clock),
      desk_(executor, "landing"),
      lander_(desk_, data, os::own_environment(), program.parent_path(),
              [token = stopping_.get_token()] { return token.stop_requested(); }),
      caretaker_(desk_, data) {
  executor.on_commit([bell = bell_](std::int64_t seq) {
    std::scoped_lock lock(bell->mutex);
    bell->seq = seq;
    bell->changed = true;
    bell->rung.notify_all();
  });
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

LandingLoop::~LandingLoop() {
  stopping_.request_stop();
  thread_.request_stop();
  bell_->rung.notify_all();
  thread_.join();
}

void LandingLoop::run(std::stop_token stop) {
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

core::Instant LandingLoop::step() {
  try {
    auto const next = lander_.step(clock_.now());
    return std::min(next, caretaker_.step(clock_.now()));
  } catch (std::exception const& error) {
    os::log(os::Level::error, std::string{"the landing loop: "} + error.what());
    return clock_.now() + kAfterTrouble;
  }
}

}  // namespace andon::main
