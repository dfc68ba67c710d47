#include "core/names.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>

namespace andon::core {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_told(char c) { return c != '-' && c != '_' && c != ' '; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

struct Decoded {
  std::uint32_t point;
  std::size_t bytes;
};

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
std::optional<Decoded> decode(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned const first = byte(0);
  if (first < 0x80) return Decoded{first, 1};
  std::size_t const n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < n) return std::nullopt;
  std::uint32_t point = first & (0xFFU >> (n + 1));
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return std::nullopt;
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  bool const overlong = (n == 3 && point < 0x800) || (n == 4 && point < 0x10000);
  if (overlong || (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF) return std::nullopt;
  return Decoded{point, n};
}

bool is_unsafe_point(std::uint32_t p) {
  bool const control = p < 0x20 || (p >= 0x7F && p < 0xA0);
  bool const zero_width = (p >= 0x200B && p <= 0x200F) || (p >= 0x2060 && p <= 0x206F) || p == 0x00AD ||
                          p == 0x180E || p == 0xFEFF || (p >= 0xFFF9 && p <= 0xFFFB);
  bool const bidirectional = (p >= 0x202A && p <= 0x202E) || p == 0x061C;
  bool const line = p == 0x2028 || p == 0x2029;
  bool const tag = p >= 0xE0000 && p <= 0xE0FFF;
  return control || zero_width || bidirectional || line || tag;
}

}  // namespace

std::string folded(std::string_view name) {
  std::string out;
  for (char c : name)
    if (is_told(c)) out += lower(c);
  return out;
}

bool same_name(std::string_view a, std::string_view b) {
  auto const told = std::views::filter(is_told);
  return a == b || std::ranges::equal(a | told, b | told, {}, lower, lower);
}

std::string slug(std::string_view title, std::size_t longest) {
  std::string out;
  for (char c : title) {
    if (is_word(lower(c)))
      out += lower(c);
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  if (!out.empty() && out.back() == '-') out.pop_back();
  if (out.size() <= longest) return out;
  bool const inside_a_word = out[longest] != '-';
  out.resize(longest);
  if (auto const cut = out.rfind('-'); inside_a_word && cut != std::string::npos) out.resize(cut);
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > 64 || !is_word(lower(text.front()))) return false;
  return std::ranges::all_of(text,
                             [](char c) { return is_word(lower(c)) || c == '-' || c == '_' || c == '.'; });
}

bool is_unsafe_line(std::string_view text) {
  bool joins = false;
  for (bool follows_script = false; !text.empty();) {
    auto const next = decode(text);
    if (!next) return true;
    bool const is_script = next->point >= 0x80;
    if (joins && !is_script) return true;
    bool const is_joiner = next->point == 0x200C || next->point == 0x200D;
    joins = is_joiner && follows_script;
    if (!joins && is_unsafe_point(next->point)) return true;
    follows_script = is_script && !is_joiner;
    text.remove_prefix(next->bytes);
  }
  return joins;
}

bool is_unsafe_text(std::string_view text) {
  while (!text.empty()) {
    auto const next = decode(text);
    if (!next) return true;
    auto const p = next->point;
    bool const layout = p == '\n' || p == '\r' || p == '\t';
    if ((p < 0x20 && !layout) || (p >= 0x7F && p < 0xA0)) return true;
    text.remove_prefix(next->bytes);
  }
  return false;
}

bool is_utf8(std::string_view text) {
  auto const is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (;;) {
    text.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(text, is_ascii) - text.begin()));
    if (text.empty()) return true;
    auto const decoded = decode(text);
    if (!decoded) return false;
    text.remove_prefix(decoded->bytes);
  }
}

std::string_view beginning(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

std::size_t length_in_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace andon::core
