#pragma once

#include <chrono>

#include "store/contract/writer_times.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// Measures the cost of an act on a session, from the construction of the meter on.
class Meter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Meter(Session const& session, Time now) : session_(session), start_(now), before_(session.state()) {}

  ActCost cost(Time now) const {
    auto const after = session_.state();
    return {std::chrono::duration_cast<std::chrono::microseconds>(now - start_), after.rows - before_.rows,
            after.steps - before_.steps};
  }

 private:
  Session const& session_;
  Time start_;
  SessionState before_;
};

}  // namespace andon::store::engine
