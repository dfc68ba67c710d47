#include "store/sqlite/session/search_words.hpp"

#include "store/engine/search.hpp"

namespace andon::store::sqlite {

std::string search_phrase(std::string_view text) {
  if (!engine::is_searchable(text)) return {};
  std::string out = "\"";
  for (char const c : text)
    if (c != '"' && c != '\0') out += c;
  return out + '"';
}

}  // namespace andon::store::sqlite
