#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tasks/search_query.hpp"

namespace andon::store::sqlite {

/// A search as an SQL statement. `$1` is the time, `$2` the day. Then follow the values in order, the number
/// of hits and the number of hits to skip. A row is a task and the text of the index that was found.
struct SearchStatement {
  std::string sql;
  std::vector<std::string> values;
  std::string words;  ///< an expression that finds any of the words, for snippets
};
/// The statement for ranked hits. Words that too many texts have, by `is_common`, do not rank: they only
/// filter the texts that the other words find. Its `sql` is empty when no word is left to rank by.
SearchStatement search_statement(core::SearchQuery const& query,
                                 std::function<bool(std::string const& words)> const& is_common);

/// The statement that checks whether the task `$3` meets the query: all conditions, and none of the excluded
/// words. The values come after `$3`.
SearchStatement check_statement(core::SearchQuery const& query);

/// Whether the query has any words that can be found, excluded words included.
bool has_words(core::SearchQuery const& query);

/// The words that a hit must have, each as an expression of the index.
std::vector<std::string> words_of(core::SearchQuery const& query);

}  // namespace andon::store::sqlite
