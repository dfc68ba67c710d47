#include "core/text/terminal_text.hpp"

#include <algorithm>

namespace andon::core {
namespace {

constexpr char kEscape = '\x1b';

/// The number of bytes from `first` to `last` at a position.
std::size_t run_of(std::string_view text, std::size_t at, char first, char last) {
  auto const end = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())),
                                text.end(), [&](char c) { return c < first || c > last; });
  return static_cast<std::size_t>(end - text.begin()) - std::min(at, text.size());
}

/// The length with a final byte, if one is there.
std::size_t with_final(std::string_view text, std::size_t length, char first) {
  return length + (run_of(text.substr(0, length + 1), length, first, '~') > 0 ? 1 : 0);
}

/// A string ends with BEL or ESC \, and at the end of its line when it is not complete.
std::size_t length_of_string(std::string_view text) {
  auto const end = std::min(text.find_first_of("\x07\x1b\n", 2), text.size());
  if (text.substr(end).starts_with('\x07')) return end + 1;
  return text.substr(end).starts_with("\x1b\\") ? end + 2 : end;
}

/// The length of the sequence that the text begins with.
std::size_t length_of_sequence(std::string_view text) {
  constexpr std::string_view kStrings = "]PX^_";
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {
    auto const parameters = 2 + run_of(text, 2, '0', '?');
    return with_final(text, parameters + run_of(text, parameters, ' ', '/'), '@');
  }
  if (kStrings.contains(text[1])) return length_of_string(text);
  return with_final(text, 1 + run_of(text, 1, ' ', '/'), '0');
}

}  // namespace

std::string without_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    auto const escape = std::min(text.find(kEscape), text.size());
    out += text.substr(0, escape);
    text.remove_prefix(escape);
    if (!text.empty()) text.remove_prefix(length_of_sequence(text));
  }
  return out;
}

}  // namespace andon::core
