#include "store/engine/search.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"

namespace andon::store::engine {

bool is_searchable(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return core::is_ascii_alphanumeric(c) || static_cast<unsigned char>(c) > 0x7F; });
}

bool walks_tasks(core::SearchQuery const& query) {
  return std::ranges::none_of(query.words,
                              [](auto const& words) { return !words.without && is_searchable(words.text); });
}

}  // namespace andon::store::engine
