#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "api/local_executor.hpp"
#include "main/bell.hpp"
#include "os/clock.hpp"
#include "os/data_directory.hpp"
#include "runner/caretaker.hpp"
#include "runner/desk.hpp"
#include "runner/lander.hpp"

namespace andon::main {

/// The thread that lands accepted work and tidies work trees. Of its own, since checks take their time.
class LandingLoop {
 public:
  LandingLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
              std::filesystem::path const& program);
  /// Ends a check that runs; its work keeps its place in the queue.
  ~LandingLoop();

 private:
  void run(std::stop_token stop);
  core::Instant step();

  os::Clock const& clock_;
  runner::Desk desk_;
  std::stop_source stopping_;
  runner::Lander lander_;
  runner::Caretaker caretaker_;
  std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  std::jthread thread_;
};

}  // namespace andon::main
