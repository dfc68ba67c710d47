#include "runner/plain_text.hpp"

namespace andon::runner {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The length of the valid character at the front, or 0.
std::size_t character(std::string_view text) {
  auto const at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto const lead = at(0);
  if (lead < 0x80) return 1;
  std::size_t const length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i])) return 0;
  if (lead == 0xE0 && at(1) < 0xA0) return 0;  // overlong
  if (lead == 0xED && at(1) > 0x9F) return 0;  // surrogate
  if (lead == 0xF0 && at(1) < 0x90) return 0;  // overlong
  if (lead == 0xF4 && at(1) > 0x8F) return 0;  // beyond U+10FFFF
  return length;
}

}  // namespace

std::string as_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    auto const length = character(bytes);
    if (length > 0)
      out += bytes.substr(0, length);
    else
      out += "\xEF\xBF\xBD";
    bytes.remove_prefix(length > 0 ? length : 1);
  }
  return out;
}

std::string_view head(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  while (longest > 0 && is_continuation(text[longest])) --longest;
  return text.substr(0, longest);
}

std::string_view tail(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  auto from = text.size() - longest;
  while (from < text.size() && is_continuation(text[from])) ++from;
  return text.substr(from);
}

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string{text};
  auto const kept = head(text, longest);
  return std::string{kept} + " … (" + std::to_string(text.size() - kept.size()) + " more bytes)";
}

}  // namespace andon::runner
