#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

/// Small hexadecimal digits.
inline constexpr std::string_view kHexDigits = "0123456789abcdef";

/// The value of a hexadecimal digit, small or capital; -1 for any other character.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Appends the lowest `digits` digits of a number, the highest one first.
void append_hex(std::uint32_t value, int digits, std::string& out);

/// Two small digits for each byte.
std::string to_hex(std::string_view bytes);
/// The reverse of `to_hex`; nothing for a text of other characters or of odd length.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace andon::core
