#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace andon::store {

/// What holds the writer. While it does one of these, every other write waits.
enum class WriterAct {
  unit,       ///< a unit of work, parked or not
  catch_up,   ///< bringing in what others did to files
  commit,     ///< ending a batch, without the wait for the disk
  checkpoint  ///< copying the log back into the database
};
inline constexpr std::array<std::string_view, 4> kWriterActNames{"unit", "catch_up", "commit", "checkpoint"};

/// How soon a unit of work is to be run.
enum class Urgency {
  usual,
  urgent  ///< before all that is not: somebody's lease ends without it
};

/// What a unit of work is to the writer, beside its work.
struct UnitKind {
  std::string_view name = "internal";  ///< of the operation; a literal
  Urgency urgency = Urgency::usual;
  std::chrono::milliseconds bound{50};  ///< holding the writer for longer is told and counted
};

/// What an act cost. Rows and steps do not depend on the machine.
struct ActCost {
  std::chrono::microseconds time{};
  std::int64_t rows = 0;   ///< inserted, changed or removed
  std::int64_t steps = 0;  ///< of SQLite's virtual machine, in thousands
};

/// One act that held the writer beyond its bound.
struct LongAct {
  WriterAct act = WriterAct::unit;
  std::string name;
  ActCost cost;
};

/// What is known of one kind of act since the store was opened.
struct ActTimes {
  std::uint64_t count = 0;
  std::uint64_t beyond_bound = 0;
  ActCost most;         ///< each number is the highest of its own
  std::string longest;  ///< the name of the one that took the most time
};

/// How long the writer was held, and by what. Thread-safe.
class WriterTimes {
 public:
  struct Told {
    std::array<ActTimes, kWriterActNames.size()> acts;
    std::chrono::microseconds slowest_urgent{};  ///< from its arrival until it was answered
  };

  void note(WriterAct act, std::string_view name, ActCost const& cost, std::chrono::milliseconds bound);
  void note_urgent(std::chrono::microseconds until_answered);
  Told told() const;
  /// The listener is called on the writer's thread.
  void on_long_act(std::function<void(LongAct const&)> listener);

 private:
  mutable std::mutex mutex_;
  Told told_;                                                   ///< guarded by mutex_
  std::vector<std::function<void(LongAct const&)>> listeners_;  ///< guarded by mutex_
};

}  // namespace andon::store
