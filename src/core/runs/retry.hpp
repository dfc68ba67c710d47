#pragma once

#include <cstddef>
#include <span>

#include "core/model/run.hpp"
#include "core/time/time.hpp"

namespace andon::core {

/// The number of consecutive crashed attempts that make a loop.
inline constexpr std::size_t kCrashLoop = 3;
/// An attempt that failed within this time of its start, without the agent reporting it, is a crash.
inline constexpr Duration kCrash = std::chrono::seconds{60};

/// True when the next run of the task goes on with the session of this one at once: it said success with work
/// of its program open, as the first in a row.
bool goes_on(Run const& run);
/// The last run of a task that came to an end of its own; null for none. One that never began, or that its
/// account, its machine or a person stopped, does not count.
Run const* last_word(std::span<Run const> newest_first);

bool is_crash(Run const& run);
/// Whether a worker's latest attempts, newest first, all crashed, and not all on one task: then it is the
/// worker that is broken.
bool is_crash_loop(std::span<Run const> newest_first);

/// The cause of a crash, as far as the latest attempts show it.
enum class CrashScope {
  task,
  worker,   ///< its latest attempts all crashed
  account,  ///< those of its agent profile on its machine did, under several workers and for one reason
};

/// The scope of the crash of a run. Both lists have the latest ended attempts, newest first and with this
/// one: those of its worker, and those of its agent profile on its machine.
CrashScope scope_of_crash(std::span<Run const> of_worker, std::span<Run const> of_profile);
/// True when the run has the profile and the machine of the other one.
bool shares_profile(Run const& run, Run const& other);

}  // namespace andon::core
