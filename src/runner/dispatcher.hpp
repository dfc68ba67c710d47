#pragma once

#include <cstdint>

#include "core/time.hpp"
#include "runner/desk.hpp"

namespace andon::runner {

/// Gives idle workers their next tasks. Pure loop body: it acts when the board has changed or a second has
/// passed, since a task may become pickable by time alone.
class Dispatcher {
 public:
  explicit Dispatcher(Desk& desk) : desk_(desk) {}

  /// One pass over all workers; `seq` is the last event of the store. Returns how many runs were opened.
  int step(core::Instant now, std::int64_t seq);

 private:
  Desk& desk_;
  std::int64_t seen_ = -1;
  core::Instant last_{};
};

}  // namespace andon::runner
