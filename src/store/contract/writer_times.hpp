#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "os/processes/mutex.hpp"

namespace andon::store {

/// The kinds of acts that occupy the writer. During an act every other write waits.
enum class WriterAct {
  unit,       ///< a unit of work, parked or not
  catch_up,   ///< applying foreign edits of files to the index
  commit,     ///< ending a batch, without the wait for the disk
  checkpoint  ///< copying the log back into the database
};
inline constexpr std::array<std::string_view, 4> kWriterActNames{"unit", "catch_up", "commit", "checkpoint"};

/// The cost of an act. Rows and steps do not depend on the machine.
struct ActCost {
  std::chrono::microseconds time{};
  std::int64_t rows = 0;   ///< inserted, changed or removed
  std::int64_t steps = 0;  ///< of SQLite's virtual machine, in thousands
};

/// One act that occupied the writer for longer than its bound.
struct LongAct {
  WriterAct act = WriterAct::unit;
  std::string name;
  ActCost cost;
};

/// The measurements of one kind of act since the store was opened.
struct ActTimes {
  std::uint64_t count = 0;
  std::uint64_t beyond_bound = 0;
  ActCost most;         ///< each member is the highest value of any act
  std::string longest;  ///< the name of the act that took the most time
};

/// Measures how long the acts of the writer took. Thread-safe.
class WriterTimes {
 public:
  struct Totals {
    std::array<ActTimes, kWriterActNames.size()> acts;
    std::chrono::microseconds slowest_urgent{};  ///< from submission until the answer
  };

  void note(WriterAct act, std::string_view name, ActCost const& cost, std::chrono::milliseconds bound);
  void note_urgent(std::chrono::microseconds until_answered);
  Totals totals() const;
  /// Registers a listener that is called on the writer's thread.
  void on_long_act(std::function<void(LongAct const&)> listener);

 private:
  mutable os::Mutex mutex_;
  Totals totals_ GUARDED_BY(mutex_);
  std::vector<std::function<void(LongAct const&)>> listeners_ GUARDED_BY(mutex_);
};

}  // namespace andon::store
