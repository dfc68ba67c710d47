#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/time/time.hpp"
#include "service/operation_context.hpp"

// The bounds of what agents, runners and chats make the server store. Rates bound what one credential
// writes and are counted in memory. Totals bound what a run and the runs of a board write and are kept in the
// store, see `storage_totals.hpp`. People and the administrator are not metered.
namespace andon::service {

/// The kind of data that a write stores, with bounds of its own.
enum class Stored {
  text,        ///< tasks, notes, plans, questions, memory, their events
  report,      ///< how a run goes and ends; a run that has used up everything else still ends properly
  attachment,  ///< files of tasks
  output       ///< lines of a run's log, whose oldest parts are dropped
};

/// The bounds of one kind, in bytes; 0 for none.
struct StorageBound {
  Stored stored{};
  std::string_view name;          ///< for the refusal
  std::int64_t at_once = 0;       ///< what a credential that was quiet may write at once
  std::int64_t per_minute = 0;    ///< what it may write in each minute after that
  std::int64_t of_run = 0;        ///< what a run may write in all
  std::int64_t of_board_day = 0;  ///< what the runs of a board may write in 24 hours
};
StorageBound const& bound_of(Stored stored);

/// A write counts as at least so many bytes, because its event and its record are stored beside its fields.
inline constexpr std::int64_t kLeastStored = 512;
/// A runner reports for many runs, so that its rate is that of so many.
inline constexpr std::int64_t kRunsOfRunner = 16;

/// Counts how fast metered callers store. Each count is constant in time and memory; counters that nobody
/// used for a day are forgotten. Thread-safe.
class StorageMeter {
 public:
  /// A write of that many bytes; of output, of that run.
  struct Write {
    Stored stored = Stored::text;
    std::int64_t bytes = 0;
    core::RunId run = 0;
  };
  /// Counts the write, or refuses it with `RATE_LIMITED` and `retry_after` and counts nothing.
  core::Result<void> take(Caller const& caller, Write const& write, core::Duration now);
  /// True for a caller whose writes are counted.
  static bool is_metered(Caller const& caller);
  std::size_t counters() const;

 private:
  struct Counter {
    std::int64_t level = 0;    ///< written beyond what time has allowed since
    core::Duration drained{};  ///< when the level was brought up to date, which is when it was last used
  };
  using Key = std::pair<Stored, std::string>;

  Counter& counter(Key const& key, core::Duration now);
  void forget(core::Duration now);

  mutable std::mutex mutex_;
  std::map<Key, Counter> counters_;
  core::Duration next_look_{};
};

}  // namespace andon::service
