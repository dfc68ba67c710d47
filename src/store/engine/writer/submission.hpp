#pragma once

#include <exception>
#include <vector>

#include "os/processes/clock.hpp"
#include "store/contract/store.hpp"
#include "store/engine/counters/changes.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

/// A moment by the clock of the writer's waits.
using Moment = os::SteadyClock::time_point;

/// A unit of work as it was submitted.
struct Submission {
  Work work;
  Done done;
  Rights rights = Rights::write;
  Milliseconds patience{};
  UnitKind kind{};
};

/// At its last turn a unit cannot be parked again.
enum class Turn { usual, last };

/// The result of one run of a unit.
struct Attempt {
  bool waits = false;  ///< the unit is to be parked
  Interest interest{};
  Moment looked{};  ///< when the unit looked for tasks
  std::exception_ptr trouble{};
  Changes changes{};
};

/// The answer of a unit, for its submitter.
struct Answer {
  Done done;
  std::exception_ptr trouble;
};
using Answers = std::vector<Answer>;

}  // namespace andon::store::engine
