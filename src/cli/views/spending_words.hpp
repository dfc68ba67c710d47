#pragma once

#include <string>

#include "service/limits/budgets.hpp"
#include "service/limits/task_spending.hpp"

namespace andon::cli {

/// `$1.20 + unknown, 48000 tokens, 12m, 3 runs`.
std::string spent_words(service::TaskSpending const& spent);

/// `$1.20 of $5.00, 800 of 1000 tokens`; the plain amounts where there is no limit.
std::string day_words(service::DayBudget const& budget);

}  // namespace andon::cli
