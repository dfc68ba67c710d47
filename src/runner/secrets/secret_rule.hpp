#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// A regular expression of RE2: its time is linear in the text, whatever the expression and the text are. It
/// works on bytes, and is compiled at its first use. Safe in several threads.
class SecretPattern {
 public:
  explicit SecretPattern(std::string expression);
  SecretPattern(SecretPattern&&) noexcept;
  SecretPattern& operator=(SecretPattern&&) noexcept;
  ~SecretPattern();

  bool is_in(std::string_view text) const;
  /// The first match in `text` that begins at `begin` or later and ends at `end` or earlier: the whole of it,
  /// then its groups. Characters before and behind count as context. Empty when there is none.
  std::vector<std::string_view> match(std::string_view text, std::size_t begin, std::size_t end) const;
  /// Why the expression is none; empty for a good one.
  std::string problem() const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// The matches whose secret is none: one of the lists of gitleaks' `allowlists`.
struct SecretAllowance {
  enum class Target { secret, match, line };

  Target target = Target::secret;
  bool needs_all = false;  ///< the path, an expression and a word, instead of one of them
  std::vector<SecretPattern> paths{};
  std::vector<SecretPattern> expressions{};
  std::vector<std::string> words{};  ///< in lower case, within the secret
};

/// The find of an expression.
struct SecretMatch {
  std::string_view path{};
  std::string_view line{};    ///< of the text, in which the match begins
  std::string_view whole{};   ///< match
  std::string_view secret{};  ///< within the match
};

bool allows(SecretAllowance const& allowance, SecretMatch const& match);

/// The form of one kind of secret, with the names of gitleaks.
struct SecretRule {
  std::string id{};
  std::string description{};
  std::unique_ptr<SecretPattern> expression{};  ///< none for a rule about names of files
  std::unique_ptr<SecretPattern> path{};        ///< of the files that the rule is about; none for all
  std::vector<std::string> keywords{};          ///< one of which stands in every match, in lower case
  std::vector<SecretAllowance> allowances{};
  std::size_t group = 0;    ///< that is the secret; 0 for the first one with a text
  double entropy = 0;       ///< that the secret exceeds
  std::size_t before = 0;   ///< lines before the one with the keyword that belong to a match
  std::size_t after = 1;    ///< lines behind it
  bool is_mixed = false;    ///< the secret has digits and letters
  bool is_literal = false;  ///< not looked through for examples
};

/// The match from a whole match and its groups; its secret is empty for none.
SecretMatch match_of(SecretRule const& rule, std::vector<std::string_view> const& groups);

/// True when the secret looks like a real one and no allowance of the rule takes it back.
bool is_likely(SecretRule const& rule, SecretMatch const& match);

}  // namespace andon::runner
