#pragma once

#include <set>
#include <vector>

#include "store/engine/search.hpp"
#include "store/sql/database/connection.hpp"
#include "store/sql/session/search_statement.hpp"

namespace andon::store::sql {

/// The most tasks or texts that a search passes over.
inline constexpr int kMostOffered = 3'000;

/// Checks whether tasks meet a query, apart from the words that a hit must have.
class SearchCheck {
 public:
  SearchCheck(Connection& db, WordSearch const& by, engine::SearchRequest const& request)
      : db_(db), now_(request.now), statement_(check_statement(by, request.query)) {}
  bool holds(core::TaskId id) { return !of({id}).empty(); }
  /// Those of the tasks that meet it.
  std::set<core::TaskId> of(std::vector<core::TaskId> const& ids);

 private:
  Connection& db_;
  core::Instant now_;
  SearchStatement statement_;
};

/// The running statement with its values, for one hit more than the page has.
Statement ranked_hits(Connection& db, SearchStatement const& statement, engine::SearchRequest const& request);

/// The tasks that meet conditions without words, by number, as a list walks them.
engine::SearchRows search_walked(Connection& db, WordSearch const& by, engine::SearchRequest const& request);

}  // namespace andon::store::sql
