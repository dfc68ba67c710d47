// Two tables hold counts by facet. A third table, written by task_writes.cpp, lists the tasks
// that changed since they were counted, with the values under which they were counted. So a change of a task
// writes one row, under however many values the task counts. The writer counts these tasks when a few hundred
// wait. A reader adds the uncounted changes to the counts.
#include "store/sqlite/counters/tallies.hpp"

#include <algorithm>

#include "store/sql/session/count_rows.hpp"

namespace andon::store::sqlite {
namespace {

Query const kTallyTasks{"tally_tasks"};
Query const kTallyAll{"tally_all"};
Query const kDueAll{"tally_due_all"};

void add(std::optional<engine::TalliedTask> const& task, std::int64_t by, engine::TallyMap& out) {
  if (task) engine::tally_task(*task, by, out);
}

}  // namespace

std::int64_t wrong_tallies(Connection& db) {
  engine::TallyMap differences;
  auto const pending = read_changed_tallied(db);
  for (auto const& [before, now] : pending) {
    add(before, -1, differences);
    add(now, 1, differences);
  }
  for (auto row = db.query(kTallyTasks); row.step();) add(tallied_in(row, 0), -1, differences);
  for (auto row = db.query(kTallyAll); row.step();) {
    auto& counts = differences[tally_key_in(row)];
    counts.n += row.integer(4);
    counts.blocked += row.integer(5);
  }
  for (auto row = db.query(kDueAll); row.step();)
    differences[tally_key_in(row)].due[row.integer(4)] += row.integer(5);
  return std::ranges::count_if(differences, [](auto const& entry) {
    auto const& [n, blocked, due] = entry.second;
    return n != 0 || blocked != 0 ||
           std::ranges::any_of(due, [](auto const& day) { return day.second != 0; });
  });
}

}  // namespace andon::store::sqlite
