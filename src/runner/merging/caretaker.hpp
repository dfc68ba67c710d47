#pragma once

#include "os/data/data_directory.hpp"
#include "runner/desk.hpp"

namespace andon::runner {

/// Removes work trees whose work has landed, and, when all together take more than they may, those that hold
/// nothing of their own. What is dirty or not landed stays. Pure loop body.
class Caretaker {
 public:
  /// `stop` as in `GitUse`.
  Caretaker(Desk& desk, os::DataDirectory data, int stop = -1)
      : desk_(desk), data_(std::move(data)), stop_(stop) {}

  /// Looks at all of them when it is time; returns when to call again.
  core::Instant step(core::Instant now);

 private:
  void tidy();

  Desk& desk_;
  os::DataDirectory data_;
  int stop_;
  core::Instant next_{};
};

}  // namespace andon::runner
