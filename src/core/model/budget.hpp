#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/field.hpp"
#include "core/time/time.hpp"
#include "core/time/time_zone.hpp"

namespace andon::core {

/// The most that may be spent. Zero means no limit.
struct Allowance {
  std::int64_t tokens = 0;  ///< input and output
  double usd = 0;           ///< by the agents' own reports
  Duration time{};          ///< of runs, added up
  bool operator==(Allowance const&) const = default;
};
void describe(auto& field, Allowance const*) {
  field(&Allowance::tokens, "tokens", "Tokens, input and output; 0 means no limit", set_only);
  field(&Allowance::usd, "usd", "US dollars as agents report them; 0 means no limit", set_only);
  field(&Allowance::time, "time", "Running time; 0s means no limit", set_only);
}

/// The limits that somebody - a board or a worker - sets to what agents spend.
struct Budget {
  Allowance run;   ///< of each run
  Allowance task;  ///< of all runs of a task
  Allowance day;   ///< of all runs from one midnight to the next
  std::string tz;  ///< whose midnight; UTC when empty
  bool operator==(Budget const&) const = default;
};
void describe(auto& field, Budget const*) {
  field(&Budget::run, "run", "Most one run may spend", set_only);
  field(&Budget::task, "task", "Most all runs of a task may spend", set_only);
  field(&Budget::day, "day", "Most all runs of a day may spend", set_only);
  field(&Budget::tz, "tz", "Time zone in which the day begins, such as Europe/Berlin; UTC when left out");
}

/// The day of a zone's clocks; of UTC without one.
Date day_of(TimeZones const* zones, std::string_view zone, Instant at);

/// Dollars and cents without a sign, as in `12.50`.
std::string plain_money(double usd);

/// The narrower of two.
Allowance tighter(Allowance const& a, Allowance const& b);

}  // namespace andon::core
