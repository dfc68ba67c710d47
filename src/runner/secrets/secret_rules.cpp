#include "runner/secrets/secret_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "os/embedded.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kBeforeKeyword = 256;   ///< bytes of a line that an expression sees before its keyword
constexpr std::size_t kBehindKeyword = 4096;  ///< and behind it
constexpr std::size_t kLongestWindow = 65'536;  ///< so that many matches in a window are not quadratic
constexpr std::size_t kMostHits = 100;
constexpr std::size_t kLongestLine = 1024;  ///< that an allowance sees, on each side of a match

/// The part of a text that one expression looks at.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The begin of the line `lines` before the one at `at`, or a place as far before as a window goes.
std::size_t begin_of_lines(std::string_view text, std::size_t at, std::size_t lines) {
  auto const least = at - std::min(at, lines == 0 ? kBeforeKeyword : kBehindKeyword);
  auto begin = at;
  while (begin > least && (text[begin - 1] != '\n' || lines-- > 0)) --begin;
  return begin;
}

/// The end of the line `lines` behind the one at `at`, with its line end.
std::size_t end_of_lines(std::string_view text, std::size_t at, std::size_t lines) {
  auto const most = std::min(text.size(), at + kBehindKeyword);
  for (auto end = at; end < most;) {
    end = text.find('\n', end);
    if (end >= most) break;
    ++end;
    if (lines-- == 0) return end;
  }
  return most;
}

/// The line in which a match begins, as far as an allowance sees it.
std::string_view line_around(std::string_view text, std::size_t begin, std::size_t end) {
  auto const first = begin - std::min(begin, kLongestLine);
  auto const last = std::min(text.size(), end + kLongestLine);
  auto const line_end = text.substr(0, last).find('\n', end);
  auto const before = text.substr(first, begin - first).rfind('\n');
  auto const line_begin = before == std::string_view::npos ? first : first + before + 1;
  return text.substr(line_begin, std::min(line_end, last) - line_begin);
}

/// One search through one text.
class TextSearch {
 public:
  TextSearch(SecretRuleBook const& book, std::string_view path, std::string_view text, SecretEffort& effort)
      : book_(book), path_(path), text_(text), effort_(effort), windows_(book.rules.size()) {}

  /// A keyword of the rule stands there. Windows of a rule that touch each other become one.
  void add_keyword(std::size_t rule, std::size_t at) {
    auto& window = windows_[rule];
    // Another keyword close by, within what is looked at anyway.
    auto const& about = book_.rules[rule];
    auto const begin = begin_of_lines(text_, at, about.before);
    auto const end = end_of_lines(text_, at, about.after);
    bool const is_joined = begin <= window.end && end - window.begin <= kLongestWindow;
    if (is_joined && window.end > 0) {
      window.end = std::max(window.end, end);
      return;
    }
    look_into(rule, window);
    window = {begin, end};
  }

  std::vector<SecretHit> finish() {
    for (std::size_t rule = 0; rule < windows_.size(); ++rule) look_into(rule, windows_[rule]);
    std::vector<SecretHit> out;
    std::size_t line = 0;
    std::size_t counted = 0;
    for (auto const& [at, rule] : found_) {
      line += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted),
                                                  text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      counted = at;
      out.push_back({book_.rules[rule].id, book_.rules[rule].description, line});
    }
    return out;
  }

 private:
  void look_into(std::size_t rule, Window window) {
    while (window.begin < window.end && found_.size() < kMostHits) {
      auto const bytes = window.end - window.begin;
      effort_.is_spent = effort_.is_spent || bytes > effort_.left;
      if (effort_.is_spent) return;
      effort_.left -= bytes;
      auto const next = look_once(rule, window);
      if (!next) return;
      window.begin = *next;
    }
  }

  /// The place from which to look on; none when there is no further match.
  std::optional<std::size_t> look_once(std::size_t rule, Window const& window) {
    auto const& about = book_.rules[rule];
    if (about.path && !about.path->is_in(path_)) return std::nullopt;
    auto const groups = about.expression->match(text_, window.begin, window.end);
    if (groups.empty()) return std::nullopt;
    auto const begin = static_cast<std::size_t>(groups.front().data() - text_.data());
    auto const end = begin + groups.front().size();
    auto match = match_of(about, groups);
    match.path = path_;
    match.line = line_around(text_, begin, end);
    if (!is_likely(about, match) || is_allowed(match)) return std::max(end, begin + 1);
    auto const first = begin + match.whole.find_first_not_of("\r\n");
    found_.emplace(std::min(first, end), rule);
    auto const line_end = text_.find('\n', end);
    return std::min(line_end, window.end);
  }

  bool is_allowed(SecretMatch const& match) const {
    return std::ranges::any_of(book_.allowances, [&](auto const& one) { return allows(one, match); });
  }

  SecretRuleBook const& book_;
  std::string_view path_;
  std::string_view text_;
  SecretEffort& effort_;
  std::vector<Window> windows_;                    ///< of each rule, not yet looked into
  std::multimap<std::size_t, std::size_t> found_;  ///< the rule at each place
};

/// The numbers of all keywords, and the rules of each number.
std::vector<std::string> number_keywords(SecretRuleBook const& book,
                                         std::vector<std::vector<std::size_t>>& rules_of) {
  std::map<std::string, std::vector<std::size_t>> by_word;
  for (std::size_t i = 0; i < book.rules.size(); ++i)
    for (auto const& word : book.rules[i].keywords) by_word[word].push_back(i);
  std::vector<std::string> out;
  for (auto& [word, rules] : by_word) {
    out.push_back(word);
    rules_of.push_back(std::move(rules));
  }
  return out;
}

std::string without_zeros(std::string_view text) {
  std::string out{text};
  std::erase(out, '\0');
  return out;
}

void add_new(std::vector<SecretHit>& hits, std::vector<SecretHit> more) {
  for (auto& hit : more) hits.push_back(std::move(hit));
  std::ranges::sort(hits, {},
                    [](auto const& hit) { return std::pair{hit.line, std::string_view{hit.rule}}; });
  auto const same = [](auto const& a, auto const& b) { return a.line == b.line && a.rule == b.rule; };
  hits.erase(std::ranges::unique(hits, same).begin(), hits.end());
}

SecretRuleBook embedded_rules() {
  std::vector<std::string_view> texts;
  for (auto const& file : secret_rule_files())
    texts.emplace_back(reinterpret_cast<char const*>(file.raw.data()), file.raw.size());
  return read_secret_rules(texts);
}

}  // namespace

SecretRules::SecretRules(SecretRuleBook book)
    : book_(std::move(book)), keywords_(number_keywords(book_, rules_of_)) {}

SecretRules const& SecretRules::embedded() {
  static SecretRules const rules{embedded_rules()};
  return rules;
}

std::vector<SecretHit> SecretRules::in_text(std::string_view path, std::string_view text,
                                            SecretEffort& effort) const {
  TextSearch search{book_, path, text, effort};
  keywords_.search(text, [&](std::uint32_t word, std::size_t at) {
    for (auto const rule : rules_of_[word]) search.add_keyword(rule, at);
  });
  std::vector<SecretHit> out;
  add_new(out, search.finish());
  if (!text.contains('\0')) return out;
  add_new(out, in_text(path, without_zeros(text), effort));
  return out;
}

std::vector<SecretHit> SecretRules::in_text(std::string_view path, std::string_view text) const {
  SecretEffort effort;
  return in_text(path, text, effort);
}

std::vector<SecretHit> SecretRules::in_path(std::string_view path) const {
  std::vector<SecretHit> out;
  for (auto const& rule : book_.rules)
    if (!rule.expression && rule.path && rule.path->is_in(path))
      out.push_back({rule.id, rule.description, 0});
  return out;
}

}  // namespace andon::runner
