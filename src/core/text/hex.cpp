#include "core/text/hex.hpp"

namespace andon::core {

void append_hex(std::uint32_t value, int digits, std::string& out) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += kHexDigits[(value >> static_cast<unsigned>(shift)) & 15U];
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (char const c : bytes) append_hex(static_cast<unsigned char>(c), 2, out);
  return out;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    auto const high = kHexDigits.find(text[i]), low = kHexDigits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4U | low);
  }
  return out;
}

}  // namespace andon::core
