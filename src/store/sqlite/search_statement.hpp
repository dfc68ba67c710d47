#pragma once

#include <string>
#include <vector>

#include "core/search_query.hpp"

namespace andon::store::sqlite {

/// A search as a statement: `$1` is the time, `$2` the day, then come the values in order, the number of hits
/// and the number of hits to pass over. Rows are a task and the text of the index it was found by.
struct SearchStatement {
  std::string sql;
  std::vector<std::string> values;
  std::string words;  ///< an expression that finds any of the words, for snippets
};
/// Without any text when there is nothing to look for.
SearchStatement search_statement(core::SearchQuery const& query);

}  // namespace andon::store::sqlite
