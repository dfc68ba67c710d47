#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/output/output_rules.hpp"

namespace andon::runner {

/// The first rule whose expression matches in the text, or null.
FailureRule const* failure_in(std::vector<FailureRule> const& rules, std::string_view text);

/// The part of a text that names the end of a usage limit: the group `resets_at` of the rule's expression.
std::string words_of_reset(FailureRule const& rule, std::string_view text);

}  // namespace andon::runner
