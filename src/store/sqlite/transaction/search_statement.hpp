#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tasks/search_query.hpp"

namespace andon::store::sqlite {

/// A search as a statement: `$1` is the time, `$2` the day, then come the values in order, the number of hits
/// and the number of hits to pass over. Rows are a task and the text of the index it was found by.
struct SearchStatement {
  std::string sql;
  std::vector<std::string> values;
  std::string words;  ///< an expression that finds any of the words, for snippets
};
/// Words that `is_common` says too many texts have do not rank what others found; they are looked for in it.
/// Without any text when there is nothing left to rank by.
SearchStatement search_statement(core::SearchQuery const& query,
                                 std::function<bool(std::string const& words)> const& is_common);

/// Whether the task `$3` meets the conditions, words it must not have included; the values come after it.
SearchStatement check_statement(core::SearchQuery const& query);

/// Whether it names any words that can be found, those it must not have included.
bool has_words(core::SearchQuery const& query);

/// The words that must be found, each as an expression of the index.
std::vector<std::string> words_of(core::SearchQuery const& query);

}  // namespace andon::store::sqlite
