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

bool is_crash(Run const& run);
/// Whether a worker's latest attempts, newest first, all crashed, and not all on one task: then it is the
/// worker that is broken.
bool is_crash_loop(std::span<Run const> newest_first);

}  // namespace andon::core
