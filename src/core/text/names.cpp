#include "core/text/names.hpp"

#include <algorithm>
#include <ranges>

#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"

namespace andon::core {
namespace {

bool is_told(char c) { return c != '-' && c != '_' && c != ' '; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || is_ascii_digit(c); }

}  // namespace

std::string folded(std::string_view name) {
  std::string out;
  for (char c : name)
    if (is_told(c)) out += ascii_lower(c);
  return out;
}

bool same_name(std::string_view a, std::string_view b) {
  auto const told = std::views::filter(is_told);
  return a == b || std::ranges::equal(
                       a | told, b | told, {}, [](char c) { return ascii_lower(c); },
                       [](char c) { return ascii_lower(c); });
}

std::string slug(std::string_view title, std::size_t longest) {
  std::string out;
  for (char c : title) {
    if (is_word(ascii_lower(c)))
      out += ascii_lower(c);
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
  if (text.empty() || text.size() > 64 || !is_word(ascii_lower(text.front()))) return false;
  return std::ranges::all_of(
      text, [](char c) { return is_word(ascii_lower(c)) || c == '-' || c == '_' || c == '.'; });
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && !is_ascii_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_ascii_alphanumeric(c) || c == '_'; });
}

bool is_profile_name(std::string_view text) {
  auto const at = text.find('@');
  if (at == std::string_view::npos) return is_name(text);
  return text.size() <= 64 && is_name(text.substr(0, at)) && is_name(text.substr(at + 1));
}

bool is_unsafe_line(std::string_view text) {
  return text.find_first_of("\n\r\t") != std::string_view::npos || holds_hidden(text);
}

bool is_unsafe_text(std::string_view text) {
  while (!text.empty()) {
    auto const next = first_character(text);
    if (!next.is_valid) return true;
    auto const p = next.point;
    bool const layout = p == '\n' || p == '\r' || p == '\t';
    if ((p < 0x20 && !layout) || (p >= 0x7F && p < 0xA0)) return true;
    text.remove_prefix(next.bytes);
  }
  return false;
}

bool is_utf8(std::string_view text) {
  auto const is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (;;) {
    text.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(text, is_ascii) - text.begin()));
    if (text.empty()) return true;
    auto const next = first_character(text);
    if (!next.is_valid) return false;
    text.remove_prefix(next.bytes);
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
