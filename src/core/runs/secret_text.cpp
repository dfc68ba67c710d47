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

}  // namespace

bool holds_secret(std::string_view line) {
  return begins_private_key(line) ||
         std::ranges::any_of(kTokens, [&](TokenRow const& row) { return holds_token(line, row); });
}

}  // namespace andon::core
