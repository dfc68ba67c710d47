#pragma once

#include <optional>
#include <string_view>

#include "core/time/time_zone.hpp"

namespace andon::core {

/// The moment after `clock.now` that a sentence about a limit names, as programs of agents print it:
///
///   moment   = epoch | rfc3339 | duration | day [","] ["at"] time | time [["on"] day] | day
///   duration = "in 3 days 4 hours", "in 5h 12m", "after 18h44m53s", "in 1.898s", "in less than a minute"
///   time     = ("9am" | "4:20 PM" | "16:20" | "07:10:30") [zone]
///   day      = "today" | "tomorrow" | "Monday" | "Sep 19th[, 2026]" | "19 September [2026]" | "2026-09-19"
///   zone     = "(Europe/Berlin)" | "UTC" | "UTC+2" | "+02:00" | "PST" | …
///
/// A moment is read behind words such as `resets`, `try again` and `retry after`; a text without them must be
/// a moment and nothing else. Bare numbers are seconds behind `retry after` and its kin, otherwise nothing.
///
/// Nothing is guessed: no moment follows from another form, an unknown zone, a day that is over, or one more
/// than a year away (62 days where no year is named). A time without a day is the next one. A time in a gap
/// of the clocks is the end of the gap; of one that comes twice the first counts that is not over.
///
/// Only the first 2 KiB of the text are read.
std::optional<Instant> time_in_words(std::string_view text, LocalClock const& clock);

}  // namespace andon::core
