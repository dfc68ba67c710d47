#include "main/loops/landing_loop.hpp"

#include <algorithm>

#include "os/processes/process.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kBetween = std::chrono::milliseconds{50};

}  // namespace

LandingLoop::LandingLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
                         std::filesystem::path const& program)
    : desk_(executor, "landing"),
      lander_(
          desk_, data, os::own_environment(), program.parent_path(),
          [token = stopping_.get_token()] { return token.stop_requested(); }, stop_.handle()),
      caretaker_(desk_, data, stop_.handle()),
      loop_(executor, clock, "landing", kBetween,
            [this](core::Instant now) { return std::min(lander_.step(now), caretaker_.step(now)); }) {}

LandingLoop::~LandingLoop() {
  stopping_.request_stop();
  stop_.set();
}

}  // namespace andon::main
