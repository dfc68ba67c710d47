#include "store/sqlite/search_words.hpp"

#include <algorithm>

namespace andon::store::sqlite {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Bytes above 0x7F belong to letters often enough; a phrase of other signs alone would find nothing.
bool has_word(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) > 0x7F;
  });
}

void add_phrase(std::string_view phrase, std::string& out) {
  if (!has_word(phrase)) return;
  if (!out.empty()) out += ' ';
  out += '"';
  for (char const c : phrase)
    if (c != '"' && c != '\0') out += c;
  out += '"';
}

}  // namespace

std::string search_expression(std::string_view text) {
  std::string out;
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    bool const end = at == text.size();
    if (!end && text[at] != '"' && (quoted || !is_space(text[at]))) continue;
    add_phrase(text.substr(start, at - start), out);
    start = at + 1;
    if (!end && text[at] == '"') quoted = !quoted;
  }
  return out;
}

}  // namespace andon::store::sqlite
