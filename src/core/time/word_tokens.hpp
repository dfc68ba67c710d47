#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace andon::core {

enum class TokenKind { number, word, mark, end };

/// A number such as `20` and `1.5`, a word or the name of a zone, or one other character of ASCII.
struct WordToken {
  TokenKind kind = TokenKind::end;
  std::string text{};  ///< a word in small letters
  std::string_view source{};
  std::size_t at = 0;  ///< in the text
};

/// The parts of a text, which must outlive them. Spaces and bytes outside ASCII only separate them.
std::vector<WordToken> tokens_of(std::string_view text);

}  // namespace andon::core
