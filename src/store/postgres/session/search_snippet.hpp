#pragma once

#include <string>
#include <string_view>

namespace andon::store::postgres {

/// One piece of a text as `text_excerpt` reads it.
struct Excerpt {
  std::string_view title{};  ///< empty for a note
  std::string_view text{};
  bool has_before = false;  ///< more of the text stands before the piece
  bool has_after = false;
  std::string_view places{};  ///< of each found word, by `;`, in the title, a gap of one and the text
};

/// About 16 words of the title or the text, with as many of the found words as possible.
std::string snippet_of(Excerpt const& excerpt);

}  // namespace andon::store::postgres
