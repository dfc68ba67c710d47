#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace andon::store::postgres {

/// Phrases of so many words are found wherever a text is divided.
inline constexpr int kLongestPhrase = 32;

/// A part of a text that fits into one tsvector, with all places of its words.
struct SearchPiece {
  std::string words;        ///< folded, with a space between two
  std::int64_t first = 0;   ///< where it begins in the text, in characters
  std::int64_t length = 0;  ///< in characters
};

/// The text in pieces, at least one. Each begins with the last words of the one before.
std::vector<SearchPiece> search_pieces(std::string_view text);

}  // namespace andon::store::postgres
