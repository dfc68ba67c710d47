#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/model/budget.hpp"
#include "core/model/run.hpp"

namespace andon::core {

/// An amount that was spent.
struct Spending {
  std::int64_t tokens = 0;
  double usd = 0;
  Duration time{};
  std::int64_t unpriced = 0;  ///< of the tokens: told by agents that report no money
  std::int64_t runs = 0;
  std::int64_t unpriced_runs = 0;  ///< of the runs: those whose agents reported no money
  bool operator==(Spending const&) const = default;
};
void describe(auto& field, Spending const*) {
  field(&Spending::tokens, "tokens", "Tokens, input and output", always);
  field(&Spending::usd, "usd", "US dollars as agents reported them; without what has no price", always);
  field(&Spending::time, "time", "Running time of runs that have ended", always);
  field(&Spending::unpriced, "unpriced", "Of the tokens: those of agents that report no money", set_only);
  field(&Spending::runs, "runs", "Runs that used something or have ended", set_only);
  field(&Spending::unpriced_runs, "unpriced_runs", "Of these, those without a price", set_only);
}

/// True when a part of the amount has no price, so that `usd` is not all of it.
bool is_partly_unknown(Spending const& spent);
/// The money as far as it is known; nothing when no run told a price.
std::optional<double> known_cost(Spending const& spent);
/// `$1.20`, `$1.20 + unknown` or `cost unknown`; empty when there is nothing to tell.
std::string cost_words(std::optional<double> usd, bool is_partly_unknown);

/// The spending of the run so far. Its time counts only when it has ended. A run that has neither used
/// anything nor begun is none. A price of 0 for tokens is no price.
Spending spent_by(Run const& run);
Spending operator+(Spending const& a, Spending const& b);
/// The spending between two readings. Negative where a run corrects an earlier report.
Spending operator-(Spending const& a, Spending const& b);

/// Says which limit is reached, as in `12000 of 10000 tokens`; nothing while all hold.
std::optional<std::string> reached(Allowance const& limit, Spending const& spent);

/// The rest of a limit. A used-up limit leaves the least possible value, because zero means no limit.
Allowance left_of(Allowance const& limit, Spending const& spent);

/// The runs that count against the budget of their task: those after the last run that ended over it, because
/// letting the task go on allows the budget again.
std::vector<Run> counted_runs(std::vector<Run> runs);

/// Whether a run that ended so did not finish its work and would be tried again.
bool is_tried_again(Outcome outcome);

}  // namespace andon::core
