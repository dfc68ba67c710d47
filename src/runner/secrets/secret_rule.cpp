#include "runner/secrets/secret_rule.hpp"

#include <algorithm>
#include <mutex>
#include <re2/re2.h>
#include <utility>

#include "core/text/ascii.hpp"
#include "runner/secrets/likely_secret.hpp"

namespace andon::runner {
namespace {

/// For the program and the states of one expression; more states are made anew, so hostile text costs time
/// only.
constexpr std::int64_t kMostMemory = 2 << 20;

RE2::Options options_of_patterns() {
  RE2::Options out{RE2::Latin1};
  out.set_log_errors(false);
  out.set_max_mem(kMostMemory);
  return out;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct SecretPattern::Compiled {
  std::string expression;
  std::once_flag once{};
  std::unique_ptr<RE2> made{};

  RE2 const& get() {
    std::call_once(once, [&] { made = std::make_unique<RE2>(expression, options_of_patterns()); });
    return *made;
  }
};

SecretPattern::SecretPattern(std::string expression) : compiled_(new Compiled{std::move(expression)}) {}
SecretPattern::SecretPattern(SecretPattern&&) noexcept = default;
SecretPattern& SecretPattern::operator=(SecretPattern&&) noexcept = default;
SecretPattern::~SecretPattern() = default;

bool SecretPattern::is_in(std::string_view text) const {
  return RE2::PartialMatch(piece(text), compiled_->get());
}

std::vector<std::string_view> SecretPattern::match(std::string_view text, std::size_t begin,
                                                   std::size_t end) const {
  auto const& made = compiled_->get();
  // Most windows have no match, which is known without the groups.
  if (!made.Match(piece(text), begin, end, RE2::UNANCHORED, nullptr, 0)) return {};
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(made.NumberOfCapturingGroups()) + 1);
  if (!made.Match(piece(text), begin, end, RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size())))
    return {};
  std::vector<std::string_view> out;
  for (auto const& group : groups) out.emplace_back(group.data(), group.size());
  return out;
}

std::string SecretPattern::problem() const { return compiled_->get().error(); }

bool allows(SecretAllowance const& allowance, SecretMatch const& match) {
  auto const text = allowance.target == SecretAllowance::Target::secret  ? match.secret
                    : allowance.target == SecretAllowance::Target::match ? match.whole
                                                                         : match.line;
  auto const fits = [](auto const& patterns, std::string_view in) {
    return std::ranges::any_of(patterns, [&](SecretPattern const& one) { return one.is_in(in); });
  };
  auto const has_word = [&] {
    if (allowance.words.empty()) return false;
    auto const lower = core::ascii_lower(match.secret);
    return std::ranges::any_of(allowance.words, [&](auto const& word) { return lower.contains(word); });
  };
  if (!allowance.needs_all)
    return fits(allowance.expressions, text) || has_word() || fits(allowance.paths, match.path);
  return (allowance.paths.empty() || fits(allowance.paths, match.path)) &&
         (allowance.expressions.empty() || fits(allowance.expressions, text)) &&
         (allowance.words.empty() || has_word());
}

SecretMatch match_of(SecretRule const& rule, std::vector<std::string_view> const& groups) {
  SecretMatch out{.whole = groups.front(), .secret = groups.front()};
  if (rule.group > 0 && rule.group < groups.size()) {
    out.secret = groups[rule.group];
    return out;
  }
  auto const first =
      std::find_if(groups.begin() + 1, groups.end(), [](auto group) { return !group.empty(); });
  if (first != groups.end()) out.secret = *first;
  return out;
}

bool is_likely(SecretRule const& rule, SecretMatch const& match) {
  if (rule.entropy > 0 && entropy_of(match.secret) <= rule.entropy) return false;
  if (rule.is_mixed && !has_digits_and_letters(match.secret)) return false;
  if (!rule.is_literal && is_example(match.secret)) return false;
  if (rule.id.starts_with("named-") && counts_on(match.secret)) return false;
  return std::ranges::none_of(rule.allowances, [&](auto const& one) { return allows(one, match); });
}

}  // namespace andon::runner
