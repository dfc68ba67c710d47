// A list is answered in one of three ways. The cost of each grows with the answer, not with the board.
// - When a value of the filter, or its columns, leave few tasks, these are sorted in memory.
// - When the order is by number and an index has the tasks of a filter value by number, that index is walked.
// - Otherwise the index of the order is walked, and tasks that do not fit are passed over. A page ends after
//   as many passed-over tasks as the caller allows, with a cursor for the rest.
#include "store/sql/session/tasks_in_order.hpp"

#include <algorithm>

#include "store/sql/session/list_filter.hpp"
#include "store/sql/session/list_plan.hpp"

namespace andon::store::sql {
namespace {

/// Appends the fitting tasks of a walk with their keys in this order, unsorted.
void gather(Connection& db, TaskFilter const& filter, TaskOrder order, Walk const& walk,
            std::vector<Passed>& out) {
  auto const terms = order_terms(db, order);
  std::string sql = "SELECT (" + conditions_of(db, filter) + ")";
  for (auto const& term : terms) sql += ", " + term;
  auto row = db.assembled(sql + "\n" + db.text(walk.from));
  bind_filter(row, filter);
  bind_walk(row, walk);
  while (row.step()) {
    if (row.integer(0) == 0) continue;
    auto& passed = out.emplace_back(Passed{0, true, key_in(row, 1, terms.size())});
    passed.id = core::TaskId{std::get<std::int64_t>(passed.key.back())};
  }
}

/// Returns the gathered tasks after the key, in order.
NextTask in_order(std::vector<Passed> gathered, SortKey const& after, bool reverse) {
  auto const comes_before = [reverse](SortKey const& a, SortKey const& b) { return reverse ? b < a : a < b; };
  if (!after.empty())
    std::erase_if(gathered, [&](auto const& passed) { return !comes_before(after, passed.key); });
  std::ranges::sort(gathered, comes_before, &Passed::key);
  return [gathered = std::move(gathered), at = std::size_t{0}]() mutable {
    return at == gathered.size() ? std::nullopt : std::optional{std::move(gathered[at++])};
  };
}

NextTask in_order(Connection& db, TaskFilter const& filter, TaskOrder order, std::vector<Walk> const& walks,
                  SortKey const& after, bool reverse) {
  std::vector<Passed> gathered;
  for (auto const& walk : walks) gather(db, filter, order, walk, gathered);
  return in_order(std::move(gathered), after, reverse);
}

bool are_few(std::vector<Columns> const& boards) {
  std::int64_t sum = 0;
  for (auto const& board : boards)
    for (auto const& [column, n] : board.filled) sum += n;
  return sum <= kFew;
}

std::vector<Columns> columns_of(TaskFilter const& filter, std::vector<engine::BoardLoad> const& loads) {
  std::vector<Columns> out;
  for (auto const& [board, load] : loads)
    if (!filter.board || *filter.board == board->id) out.push_back(columns_for(filter, *board, load));
  return out;
}

}  // namespace

NextTask tasks_in_order(Connection& db, TaskFilter const& filter, std::vector<engine::BoardLoad> const& loads,
                        TaskOrder order, SortKey const& after, bool reverse) {
  auto const boards = columns_of(filter, loads);
  auto const narrowed = narrowest(db, filter);
  auto const narrow_walk = [&] { return Walk{narrowed->by->walk, {std::string{narrowed->by->id}}}; };
  if (narrowed && narrowed->is_few) return in_order(db, filter, order, {narrow_walk()}, after, reverse);
  if (!walks_columns(order) && are_few(boards))
    return in_order(db, filter, order, walks_of_columns(boards), after, reverse);
  auto walk = std::make_shared<ListWalk>(db, filter, after, reverse);
  if (narrowed && order == TaskOrder::id)
    walk->add(narrow_walk());
  else
    for (auto& part : walks_of(db, filter, order, boards)) walk->add(std::move(part));
  return [walk] { return walk->next(); };
}

}  // namespace andon::store::sql
