#pragma once

#include <string_view>
#include <vector>

#include "runner/secrets/secret_rule.hpp"

namespace andon::runner {

/// The rules of the files in `rules/`, and the allowances that count for each of them.
struct SecretRuleBook {
  std::vector<SecretRule> rules{};
  std::vector<SecretAllowance> allowances{};
};

/// Reads the texts of rule files. `left_out` takes rules of the other files out, `windows` says how many
/// lines belong to a match of a rule, `allowlistsOf` gives a rule also the allowances of another one. Throws
/// on a text that is no rule file: these are compiled in.
SecretRuleBook read_secret_rules(std::vector<std::string_view> const& texts);

}  // namespace andon::runner
