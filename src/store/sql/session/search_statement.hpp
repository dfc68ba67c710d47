#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/search_query.hpp"
#include "store/sql/database/statements.hpp"

namespace andon::store::sql {

/// The way in which a database searches for words.
struct WordSearch {
  Dialect dialect;
  /// The parameter that finds these words next to each other. Empty when the text has no word.
  std::string (*phrase)(std::string_view text);
};

/// A search as an SQL statement. `$1` is the time, `$2` the day. Then follow the values in order, the number
/// of hits and the number of hits to skip. A row is a task and the text of the index that was found.
struct SearchStatement {
  std::string sql;
  std::vector<std::string> values;
};
/// The statement for ranked hits. Words that too many texts have, by `is_common`, do not rank: they only
/// filter the texts that the other words find. Its `sql` is empty when no word is left to rank by.
SearchStatement search_statement(WordSearch const& by, core::SearchQuery const& query,
                                 std::function<bool(std::string const& words)> const& is_common);

/// The statement for those tasks of the list `$3` that meet the query: all conditions, and none of the
/// excluded words. The values come after `$3`.
SearchStatement check_statement(WordSearch const& by, core::SearchQuery const& query);

/// True when the query has any words that can be found, excluded words included.
bool has_words(WordSearch const& by, core::SearchQuery const& query);

/// The words that a hit must have, each as a parameter.
std::vector<std::string> words_of(WordSearch const& by, core::SearchQuery const& query);

}  // namespace andon::store::sql
