#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/contract/query.hpp"
#include "store/sql/database/connection.hpp"
#include "store/sql/session/list_order.hpp"

namespace andon::store::sql {

/// An index, or a part of one, that has tasks in the order of `terms`.
struct Walk {
  Query from;                      ///< the tables and the conditions that make the walk one range of the
                                   ///< index
  std::vector<std::string> terms;  ///< expressions, ending with the id
  SortKey beginning{};             ///< the common first values of all its sort keys, before the terms
  core::BoardId board = 0;
  std::string column{};
  std::string queue_key{};
  bool archived = false;
};

/// The statement for one range of a walk. The first `given` terms equal those of the key. When `bounded`, the
/// next term lies beyond that of the key. A row is whether the filter fits, and the terms.
std::string range_text(Connection const& db, Walk const& walk, TaskFilter const& filter, std::size_t given,
                       bool bounded, bool reverse);
/// Binds `$40` to `$43`.
void bind_walk(Statement& statement, Walk const& walk);
/// Reads `terms` values of a row, beginning with column `first`.
SortKey key_in(Statement const& row, int first, std::size_t terms);

/// A task that a list passed, whether it fits or not.
struct Passed {
  core::TaskId id = 0;
  bool fits = false;  ///< whether every condition of the filter holds
  SortKey key;
};

/// Merges walks into one list: each step costs one step of one index, whatever the size of the board. A walk
/// continues after a sort key by ranges of its terms, from the longest common beginning to none:
///
///     a = A and b = B and id > ID;  a = A and b > B;  a > A
class ListWalk {
 public:
  /// `filter` and `after` must outlive the ListWalk.
  ListWalk(Connection& db, TaskFilter const& filter, SortKey const& after, bool reverse)
      : db_(db), filter_(filter), after_(after), reverse_(reverse) {}

  void add(Walk walk);
  /// The next task in order; nothing at the end.
  std::optional<Passed> next();

 private:
  struct Source {
    Walk walk;
    std::vector<std::size_t> ranges;  ///< how many terms are given per range; the last range is opened first
    bool bounded = false;             ///< whether the ranges begin after a key
    std::optional<Statement> rows;
    std::optional<Passed> head;
  };
  void open_range(Source& source);
  void advance(Source& source);
  bool comes_first(Passed const& a, Passed const& b) const {
    return reverse_ ? b.key < a.key : a.key < b.key;
  }

  Connection& db_;
  TaskFilter const& filter_;
  SortKey const& after_;
  bool reverse_;
  std::vector<Source> sources_;
};

}  // namespace andon::store::sql
