// A list is answered in one of three ways. The cost of each grows with the answer, not with the board.
// - When a value of the filter, or its columns, leave few tasks, these are sorted in memory.
// - When the order is by number and an index has the tasks of a filter value by number, that index is walked.
// - Otherwise the index of the order is walked, and tasks that do not fit are passed over. A page ends after
//   as many passed-over tasks as the caller allows, with a cursor for the rest.
#include <algorithm>
#include <functional>

#include "store/sqlite/rows/shared_queries.hpp"
#include "store/sqlite/transaction/list_filter.hpp"
#include "store/sqlite/transaction/list_plan.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kListCount{"list_count"};
Query const kNextAssignee{"next_assignee"};

using Next = std::function<std::optional<Passed>()>;

/// Appends the fitting tasks of a walk with their keys in this order, unsorted.
void gather(Connection& db, TaskFilter const& filter, TaskOrder order, Walk const& walk,
            std::vector<Passed>& out) {
  auto const terms = order_terms(order);
  std::string sql = "SELECT (1 " + conditions_of(filter) + ")";
  for (auto const& term : terms) sql += ", " + term;
  auto row = db.assembled(sql + "\n" + walk.from.text());
  bind_filter(row, filter);
  bind_walk(row, walk);
  while (row.step()) {
    if (row.integer(0) == 0) continue;
    auto& passed = out.emplace_back(Passed{0, true, key_in(row, 1, terms.size())});
    passed.id = core::TaskId{std::get<std::int64_t>(passed.key.back())};
  }
}

/// Returns the gathered tasks after the key, in order.
Next in_order(std::vector<Passed> gathered, SortKey const& after, bool reverse) {
  auto const comes_before = [reverse](SortKey const& a, SortKey const& b) { return reverse ? b < a : a < b; };
  if (!after.empty())
    std::erase_if(gathered, [&](auto const& passed) { return !comes_before(after, passed.key); });
  std::ranges::sort(gathered, comes_before, &Passed::key);
  return [gathered = std::move(gathered), at = std::size_t{0}]() mutable {
    return at == gathered.size() ? std::nullopt : std::optional{std::move(gathered[at++])};
  };
}

Next in_order(Connection& db, TaskFilter const& filter, TaskOrder order, std::vector<Walk> const& walks,
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

/// `filter` and `after` must outlive the returned function.
Next tasks_in_order(Connection& db, TaskFilter const& filter, std::vector<Columns> const& boards,
                    TaskOrder order, SortKey const& after, bool reverse) {
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

}  // namespace

std::vector<Columns> Transaction::columns_for(TaskFilter const& filter) {
  std::vector<Columns> out;
  for (auto const& [id, board] : board_cache_.boards())
    if (!filter.board || *filter.board == id)
      out.push_back(sqlite::columns_for(
          filter, *board, rights_ == Rights::write ? loads_.of(session_, id) : session_.load(id)));
  return out;
}

core::Task Transaction::listed(core::TaskId id, bool with_file) {
  auto rows = session_.tasks({id});
  if (rows.empty()) db_.fail(SQLITE_CORRUPT, "an index names a task that is not there");
  auto task = named(std::move(rows.front()));
  if (places_ && with_file) task.file = places_->seen_file_of(db_, board_named(task), id);
  return task;
}

core::Result<TaskPage> Transaction::list(TaskFilter const& filter, Page const& page) {
  if (page.cursor.empty()) refresh();
  SortKey after;
  if (!page.cursor.empty()) {
    ANDON_TRY(after, parse_cursor(page.order, page.cursor));
  }
  TaskPage out;
  auto const next = tasks_in_order(db_, filter, columns_for(filter), page.order, after, page.reverse);
  SortKey last;
  for (std::size_t passed_over = 0; auto passed = next();) {
    if (passed->fits && out.tasks.size() == page.limit) {  // so there is a next page
      if (!out.tasks.empty()) out.next = cursor_of(page.order, last);
      break;
    }
    last = std::move(passed->key);
    if (passed->fits) {
      out.tasks.push_back(listed(passed->id, page.with_files));
    } else if (++passed_over == page.most_passed_over) {
      out.next = cursor_of(page.order, last);
      break;
    }
  }
  return out;
}

std::function<std::optional<Passed>()> Transaction::tasks_by_id(TaskFilter const& filter,
                                                                core::TaskId after) {
  auto const key = std::make_shared<SortKey const>(SortKey{after});
  auto next = tasks_in_order(db_, filter, columns_for(filter), TaskOrder::id, *key, false);
  return [key, next = std::move(next)] { return next(); };
}

std::int64_t Transaction::count(TaskFilter const& filter) {
  refresh();
  auto row = db_.assembled(kListCount.text() + conditions_of(filter));
  bind_filter(row, filter);
  return row.step() ? row.integer(0) : 0;
}

std::vector<std::string> Transaction::assignees() {
  refresh();
  std::vector<std::string> out;
  for (std::string last;;) {
    auto row = db_.query(kNextAssignee, last);
    if (!row.step() || row.is_null(0)) return out;
    last = row.text(0);
    out.push_back(last);
  }
}

}  // namespace andon::store::sqlite
