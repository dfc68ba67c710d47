#include "runner/output/failure_rule.hpp"

#include <algorithm>

#include "runner/output/pattern.hpp"

namespace andon::runner {

FailureRule const* failure_in(std::vector<FailureRule> const& rules, std::string_view text) {
  auto const found = std::ranges::find_if(rules, [&](FailureRule const& rule) {
    auto const pattern = Pattern::compile(rule.regex);
    return pattern && pattern->found_in(text);
  });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace andon::runner
