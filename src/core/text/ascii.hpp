#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace andon::core {

constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || is_ascii_capital(c); }
constexpr bool is_ascii_alphanumeric(char c) { return is_ascii_letter(c) || is_ascii_digit(c); }

/// The small form of an ASCII capital; any other byte unchanged.
constexpr char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char ascii_lower(char c) { return is_ascii_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// The text with small ASCII letters, for words of protocols, which are compared without regard to case.
/// For texts of people see `lower_case`.
inline std::string ascii_lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(), [](char c) { return ascii_lower(c); });
  return out;
}

/// Whether two texts differ in the case of ASCII letters at most.
inline bool is_ascii_equal(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

}  // namespace andon::core
