#include "core/runs/secret_text.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

/// A token begins so and goes on with that many letters, digits and these characters.
struct TokenRow {
  std::string_view beginning;
  std::size_t least;
  std::string_view also{};
};
constexpr std::array kTokens{
    TokenRow{"AKIA", 16},         TokenRow{"ASIA", 16},
    TokenRow{"ghp_", 36},         TokenRow{"gho_", 36},
    TokenRow{"ghu_", 36},         TokenRow{"ghs_", 36},
    TokenRow{"ghr_", 36},         TokenRow{"github_pat_", 40, "_"},
    TokenRow{"glpat-", 20, "_-"}, TokenRow{"xoxb-", 20, "-"},
    TokenRow{"xoxp-", 20, "-"},   TokenRow{"xoxa-", 20, "-"},
    TokenRow{"xoxr-", 20, "-"},   TokenRow{"xoxs-", 20, "-"},
    TokenRow{"AIza", 35, "_-"},   TokenRow{"npm_", 36},
    TokenRow{"sk-", 32, "_-"},    TokenRow{"sk_live_", 20},
    TokenRow{"rk_live_", 20},     TokenRow{"SG.", 40, "._-"},
    TokenRow{"hf_", 30},          TokenRow{"pypi-", 60, "_-"},
    TokenRow{"dop_v1_", 60},
};

/// Real tokens are random: the tail of each has at least so many different characters.
constexpr std::size_t kLeastVariety = 10;

bool is_of_token(char c, TokenRow const& row) {
  return is_ascii_alphanumeric(c) || row.also.find(c) != std::string_view::npos;
}

bool is_random(std::string_view tail) {
  if (ascii_lower(tail).find("example") != std::string::npos) return false;
  bool const has_digit = std::ranges::any_of(tail, &is_ascii_digit);
  bool const has_letter = std::ranges::any_of(tail, &is_ascii_letter);
  return has_digit && has_letter && std::set<char>{tail.begin(), tail.end()}.size() >= kLeastVariety;
}

bool holds_token(std::string_view line, TokenRow const& row) {
  for (auto at = line.find(row.beginning); at != std::string_view::npos;
       at = line.find(row.beginning, at + 1)) {
    bool const is_inside_a_word = at > 0 && (is_ascii_alphanumeric(line[at - 1]) || line[at - 1] == '-');
    auto tail = line.substr(at + row.beginning.size());
    auto const end = std::ranges::find_if_not(tail, [&](char c) { return is_of_token(c, row); });
    tail = tail.substr(0, static_cast<std::size_t>(end - tail.begin()));
    if (!is_inside_a_word && tail.size() >= row.least && is_random(tail)) return true;
  }
  return false;
}

/// The first line of a key in PEM, which stands alone; code that looks for such a line has more on it.
bool begins_private_key(std::string_view line) {
  auto const begin = line.find("-----BEGIN ");
  return begin != std::string_view::npos &&
         line.substr(begin).find("PRIVATE KEY-----") != std::string_view::npos &&
         line.find_first_not_of(" \t\"'") == begin;
}

constexpr std::array<std::string_view, 8> kSecretNames{"key",    "token",      "secret",  "password",
                                                       "passwd", "credential", "private", "pwd"};
constexpr std::size_t kLeastNamed = 8;
constexpr std::size_t kLeastUnnamed = 20;

/// One word of letters, digits and the marks of base64, with as many different characters as a random one.
bool is_random_word(std::string_view value) {
  bool const is_word = std::ranges::all_of(
      value, [](char c) { return is_ascii_alphanumeric(c) || std::string_view{"+/=_-."}.contains(c); });
  return is_word && value.front() != '/' && is_random(value);
}

}  // namespace

bool is_secret_value(std::string_view name, std::string_view value) {
  if (value.size() < kLeastNamed) return false;
  auto const lower = ascii_lower(name);
  bool const is_named =
      std::ranges::any_of(kSecretNames, [&](auto word) { return lower.find(word) != std::string::npos; });
  if (is_named) return value.front() != '/' && !value.contains("://") && ascii_lower(value) != "undefined";
  return value.size() >= kLeastUnnamed && is_random_word(value);
}

bool holds_secret(std::string_view line) {
  return begins_private_key(line) ||
         std::ranges::any_of(kTokens, [&](TokenRow const& row) { return holds_token(line, row); });
}

}  // namespace andon::core
