#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/search_query.hpp"
#include "store/engine/listing.hpp"
#include "store/engine/task_row.hpp"

namespace andon::store::engine {

/// Thrown by a search in a reading unit while the full-text index is behind. The writer has to bring the
/// index up to date.
struct SearchBehind {};

struct SearchRequest {
  core::SearchQuery const& query;
  core::Instant now{};
  std::size_t limit = 0;
  std::size_t skip = 0;
  core::TaskId after = 0;
  std::vector<BoardLoad> boards{};  ///< for a query that walks tasks: all boards in which it can find any
  bool may_lag = false;             ///< searches although stale texts wait for the index
};

struct SearchRow {
  TaskRow row;
  std::string snippet{};
};
/// One page of hits, as in `SearchPage`.
struct SearchRows {
  std::vector<SearchRow> rows{};
  bool more = false;
  core::TaskId after = 0;
  bool truncated = false;
  bool is_behind = false;  ///< stale texts wait, so nothing was searched
};

/// True when the text has a sign that a full-text index knows. Bytes above 0x7F mostly belong to letters. A
/// phrase without any such sign would find nothing.
bool is_searchable(std::string_view text);
/// True when no words of the query can find texts, so that its conditions walk the tasks by number.
bool walks_tasks(core::SearchQuery const& query);

}  // namespace andon::store::engine
