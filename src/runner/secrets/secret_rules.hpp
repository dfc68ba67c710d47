#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runner/secrets/keyword_finder.hpp"
#include "runner/secrets/secret_rule_file.hpp"

namespace andon::runner {

/// A secret that a rule found; never the secret itself.
struct SecretHit {
  std::string rule;
  std::string description;
  std::size_t line;  ///< of the text, from 0
};

/// The bytes that expressions may still look at. Ordinary text takes a few percent of its size; one that is
/// made of keywords takes a hundred times its size.
struct SecretEffort {
  std::size_t left = std::numeric_limits<std::size_t>::max();
  bool is_spent = false;  ///< something was not looked at
};

/// Finds likely secrets in a text by the rules in `rules/`. One pass over the text looks for the keywords of
/// all rules; each expression sees only the surroundings of its keywords. The time is linear in the text,
/// also for one that is made to be slow. Safe in several threads.
class SecretRules {
 public:
  explicit SecretRules(SecretRuleBook book);

  /// Those that are compiled in.
  static SecretRules const& embedded();

  /// The secrets in a text of the file at `path`, at most 100, one per rule and line, by lines. A text with
  /// zero bytes is also searched without them, as UTF-16 has them between its letters.
  std::vector<SecretHit> in_text(std::string_view path, std::string_view text, SecretEffort& effort) const;
  std::vector<SecretHit> in_text(std::string_view path, std::string_view text) const;

  /// A file that is a secret by its name alone; empty for others.
  std::vector<SecretHit> in_path(std::string_view path) const;

  std::vector<SecretRule> const& rules() const { return book_.rules; }

 private:
  SecretRuleBook book_;
  std::vector<std::vector<std::size_t>> rules_of_;  ///< the rules of each keyword, by their places
  KeywordFinder keywords_;
};

}  // namespace andon::runner
