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

std::string words_of_reset(FailureRule const& rule, std::string_view text) {
  auto const pattern = Pattern::compile(rule.regex);
  if (!pattern) return {};
  auto const groups = pattern->groups(text);
  auto const found = groups.find("resets_at");
  return found == groups.end() ? std::string{} : found->second;
}

}  // namespace andon::runner
