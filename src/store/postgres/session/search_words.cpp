#include "store/postgres/session/search_words.hpp"

#include "core/text/folded_words.hpp"
#include "store/engine/search.hpp"
#include "store/postgres/session/search_pieces.hpp"

namespace andon::store::postgres {

std::string search_phrase(std::string_view text) {
  if (!engine::is_searchable(text)) return {};
  std::string out;
  core::FoldedWords words{text};
  for (int n = 0; n < kLongestPhrase && words.next(); ++n)
    out.append(out.empty() ? "" : " ").append(words.word());
  return out.empty() ? " " : out;
}

}  // namespace andon::store::postgres
