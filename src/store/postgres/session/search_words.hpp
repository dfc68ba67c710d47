#pragma once

#include <string>
#include <string_view>

#include "store/sql/session/search_statement.hpp"

namespace andon::store::postgres {

/// The words of a phrase as the index has them. Empty when the text has no sign that is searched for, a space
/// when it has only signs that find nothing. A phrase is cut behind so many words as one piece of a text is
/// sure to have.
std::string search_phrase(std::string_view text);

inline constexpr sql::WordSearch kByWords{sql::Dialect::postgres, search_phrase};

}  // namespace andon::store::postgres
