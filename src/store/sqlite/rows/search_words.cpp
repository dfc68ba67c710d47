#include "store/sqlite/rows/search_words.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"

namespace andon::store::sqlite {
namespace {

/// Whether the text has a sign that the full-text index knows. Bytes above 0x7F mostly belong to letters. A
/// phrase without any such sign would find nothing.
bool has_word(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return core::is_ascii_alphanumeric(c) || static_cast<unsigned char>(c) > 0x7F; });
}

}  // namespace

std::string search_phrase(std::string_view text) {
  if (!has_word(text)) return {};
  std::string out = "\"";
  for (char const c : text)
    if (c != '"' && c != '\0') out += c;
  return out + '"';
}

}  // namespace andon::store::sqlite
