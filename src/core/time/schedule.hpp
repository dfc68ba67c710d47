#pragma once

#include <optional>
#include <string_view>

#include "core/time/cron.hpp"
#include "core/time/time_zone.hpp"

namespace andon::core {

/// When the schedule comes next after `after` by the clocks of a known zone; nothing within 40 years.
///
/// When clocks are set, a schedule of certain hours comes once: a time that was skipped comes at the first
/// instant after the gap, and of a time that is shown twice only the first counts. A schedule that names
/// every hour follows the passing of time instead: nothing is made up for, and the repeated hour counts
/// again.
std::optional<Instant> next_time(Cron const& cron, TimeZones const& zones, std::string_view zone,
                                 Instant after);

}  // namespace andon::core
