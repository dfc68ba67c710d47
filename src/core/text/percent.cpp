#include "core/text/percent.hpp"

#include "core/text/ascii.hpp"
#include "core/text/hex.hpp"
#include "core/text/names.hpp"

namespace andon::core {

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kMarks = "-._~";
  std::string out;
  out.reserve(text.size());
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (is_ascii_alphanumeric(c) || kMarks.contains(c))
      out += c;
    else
      out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    int const high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    int const low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    auto const byte = static_cast<unsigned char>(high * 16 + low);
    if (byte < 0x20 || byte == 0x7F) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return is_utf8(out) ? std::optional{std::move(out)} : std::nullopt;
}

}  // namespace andon::core
