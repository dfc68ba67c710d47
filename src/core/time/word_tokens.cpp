#include "core/time/word_tokens.hpp"

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

bool continues_word(std::string_view word, char c) {
  if (is_ascii_letter(c) || c == '_' || c == '/') return true;
  // Names of zones, such as `America/Port-au-Prince` and `Etc/GMT+2`.
  return word.contains('/') && (c == '-' || c == '+' || is_ascii_digit(c));
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  auto const is_digit = [&](std::size_t i) { return i < text.size() && is_ascii_digit(text[i]); };
  while (is_digit(at)) ++at;
  if (at < text.size() && text[at] == '.' && is_digit(at + 1))
    for (++at; is_digit(at);) ++at;
  return at;
}

}  // namespace

std::vector<WordToken> tokens_of(std::string_view text) {
  std::vector<WordToken> out;
  for (std::size_t at = 0; at < text.size();) {
    auto const c = text[at];
    auto end = at + 1;
    auto kind = TokenKind::mark;
    if (is_ascii_digit(c)) {
      end = end_of_number(text, at);
      kind = TokenKind::number;
    } else if (is_ascii_letter(c)) {
      while (end < text.size() && continues_word(text.substr(at, end - at), text[end])) ++end;
      kind = TokenKind::word;
    }
    auto const source = text.substr(at, end - at);
    // Bytes outside ASCII separate: `·`, `∙` and the narrow space before `PM`.
    bool const is_space = kind == TokenKind::mark && (c <= ' ' || static_cast<unsigned char>(c) > 126);
    if (!is_space) out.push_back({kind, ascii_lower(source), source, at});
    at = end;
  }
  return out;
}

}  // namespace andon::core
