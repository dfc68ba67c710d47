#include "core/runs/secret_text.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

/// Real tokens are random: the tail of each has at least so many different characters.
constexpr std::size_t kLeastVariety = 10;

bool is_random(std::string_view tail) {
  if (ascii_lower(tail).find("example") != std::string::npos) return false;
  bool const has_digit = std::ranges::any_of(tail, &is_ascii_digit);
  bool const has_letter = std::ranges::any_of(tail, &is_ascii_letter);
  return has_digit && has_letter && std::set<char>{tail.begin(), tail.end()}.size() >= kLeastVariety;
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

}  // namespace andon::core
