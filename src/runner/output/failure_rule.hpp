#pragma once

#include <string_view>
#include <vector>

#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// The first rule whose expression matches in the text, or null.
FailureRule const* failure_in(std::vector<FailureRule> const& rules, std::string_view text);

}  // namespace andon::runner
