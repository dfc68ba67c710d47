#pragma once

#include <stop_token>

#include "main/loops/step_loop.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/event.hpp"
#include "runner/desk.hpp"
#include "runner/merging/caretaker.hpp"
#include "runner/merging/lander.hpp"

namespace andon::main {

/// Lands accepted work and tidies work trees. On a thread of its own, since checks take their time.
class LandingLoop {
 public:
  LandingLoop(api::LocalExecutor& executor, os::Clock const& clock, os::DataDirectory const& data,
              std::filesystem::path const& program);
  /// Ends a check that runs; its work keeps its place in the queue.
  ~LandingLoop();

 private:
  runner::Desk desk_;
  std::stop_source stopping_;
  os::Event stop_;  ///< ends what git does
  runner::Lander lander_;
  runner::Caretaker caretaker_;
  StepLoop loop_;
};

}  // namespace andon::main
