// Two tables hold counts by facet. A third table, written by triggers (0012_tallies.sql), lists the tasks
// that changed since they were counted, with the values under which they were counted. So a change of a task
// writes one row, under however many values the task counts. The writer counts these tasks when a few hundred
// wait. A reader adds the uncounted changes to the counts.
#include "store/sqlite/counters/tallies.hpp"

#include <algorithm>
#include <array>

#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "store/sqlite/rows/details.hpp"

namespace andon::store::sqlite {
namespace {

Query const kTallyStaleTasks{"tally_stale_tasks"};
Query const kTallyTasks{"tally_tasks"};
Query const kTallyAll{"tally_all"};
Query const kDueAll{"tally_due_all"};
Query const kStaleCount{"tally_stale_count"};
Query const kTallySettled{"tally_settled"};
Query const kTallyAdd{"tally_add"};
Query const kDropEmpty{"tally_drop_empty"};
Query const kDueAdd{"tally_due_add"};
Query const kDueDropEmpty{"tally_due_drop_empty"};
Query const kOfFacet{"tally_of_facet"};
Query const kDueOfFacet{"tally_due_of_facet"};

/// In the order of `Facet`.
constexpr std::array<std::string_view, 7> kNames{"assignee", "tag",  "class", "priority",
                                                 "status",   "role", "parent"};
/// The columns of a task in `tally_stale_tasks`.
enum Column {
  kBoard,
  kStatus,
  kStage,
  kBlocked,
  kDue,
  kPriority,
  kClass,
  kAssignee,
  kRole,
  kParent,
  kDetails,
  kColumns
};

std::vector<std::string> tags_in(std::string_view details) {
  core::Task task;
  read_details(details, task);
  std::ranges::sort(task.tags);
  task.tags.erase(std::ranges::unique(task.tags).begin(), task.tags.end());
  return task.tags;
}

/// The facets and values under which the task counts.
std::vector<std::pair<Facet, TallyValue>> values_in(Statement const& row, int first) {
  std::vector<std::pair<Facet, TallyValue>> out{{Facet::assignee, row.text(first + kAssignee)},
                                                {Facet::class_, row.text(first + kClass)},
                                                {Facet::priority, row.text(first + kPriority)},
                                                {Facet::status, std::string{}},
                                                {Facet::role, row.text(first + kRole)}};
  auto const parent = row.integer(first + kParent);  // 0 for none, so that none is first in order
  out.emplace_back(Facet::parent, parent);
  auto const tags =
      row.is_null(first + kDetails) ? std::vector<std::string>{} : tags_in(row.view(first + kDetails));
  if (tags.empty()) out.emplace_back(Facet::tag, std::string{});
  for (auto const& tag : tags) out.emplace_back(Facet::tag, tag);
  return out;
}

template <class... Arguments>
void run(Connection& db, Query const& query, TallyKey const& key, Arguments... arguments) {
  std::visit(
      [&](auto const& value) {
        db.run(query, key.board, name_of(key.facet), value, key.status, arguments...);
      },
      key.value);
}

void write(Connection& db, TallyKey const& key, TallyCounts const& change) {
  if (change.n != 0 || change.blocked != 0) {
    run(db, kTallyAdd, key, change.n, change.blocked);
    if (change.n <= 0) run(db, kDropEmpty, key);
  }
  for (auto const& [day, n] : change.due) {
    if (n == 0) continue;
    run(db, kDueAdd, key, day, n);
    if (n < 0) run(db, kDueDropEmpty, key, day);
  }
}

std::string text_of(TallyValue const& value) {
  auto const* number = std::get_if<std::int64_t>(&value);
  if (number) return *number == 0 ? "" : std::to_string(*number);
  return std::get<std::string>(value);
}

TallyValue tally_value_in(Statement const& row, int column) {
  if (row.is_text(column)) return row.text(column);
  return row.integer(column);
}

/// The key in a row that begins with board, facet, value and column.
TallyKey key_in(Statement const& row) {
  auto const facet = std::ranges::find(kNames, row.view(1)) - kNames.begin();
  return {core::BoardId{row.integer(0)}, static_cast<Facet>(facet), tally_value_in(row, 2), row.text(3)};
}

/// The stored counts of a facet, without the values from `end` on.
struct Counted {
  std::map<std::pair<TallyValue, std::string>, Tally> rows;
  std::optional<TallyValue> end;
};

Tally& row_of(Counted& counted, TallyValue const& value, std::string const& status) {
  auto& tally = counted.rows[{value, status}];
  if (tally.status.empty()) tally = {status, text_of(value), 0, 0, 0};
  return tally;
}

Counted counted_in(Connection& db, core::BoardId board, Facet facet, std::int64_t today, std::size_t most) {
  Counted out;
  std::optional<TallyValue> last;
  std::size_t values = 0;
  for (auto row = db.query(kOfFacet, board, name_of(facet)); row.step();) {
    auto value = tally_value_in(row, 0);
    if (last != value && ++values > most) {
      out.end = std::move(value);
      break;
    }
    auto& tally = row_of(out, value, row.text(1));
    tally.count = row.integer(2);
    tally.blocked = row.integer(3);
    last = std::move(value);
  }
  for (auto row = db.query(kDueOfFacet, board, name_of(facet), today); row.step();) {
    auto const found = out.rows.find({tally_value_in(row, 0), row.text(1)});
    if (found != out.rows.end()) found->second.overdue = row.integer(2);
  }
  return out;
}

void add(Counted& counted, TallyKey const& key, TallyCounts const& change, std::int64_t today) {
  if (counted.end && key.value >= *counted.end) return;
  auto& tally = row_of(counted, key.value, key.status);
  tally.count += change.n;
  tally.blocked += change.blocked;
  for (auto const& [day, n] : change.due)
    if (day < today) tally.overdue += n;
}

}  // namespace

std::string_view name_of(Facet facet) { return kNames[static_cast<std::size_t>(facet)]; }

void tally_task(Statement const& row, int first, std::int64_t by, TallyMap& out) {
  if (row.is_null(first + kBoard)) return;
  auto const stage = core::parse_stage(row.view(first + kStage)).value_or(core::Stage::ready);
  for (auto& [facet, value] : values_in(row, first)) {
    auto& counts =
        out[{core::BoardId{row.integer(first + kBoard)}, facet, std::move(value), row.text(first + kStatus)}];
    counts.n += by;
    counts.blocked += by * row.integer(first + kBlocked);
    if (!row.is_null(first + kDue) && !core::is_terminal(stage)) counts.due[row.integer(first + kDue)] += by;
  }
}

TallyMap pending_tallies(Connection& db) {
  TallyMap out;
  for (auto row = db.query(kTallyStaleTasks); row.step();) {
    tally_task(row, 0, -1, out);
    tally_task(row, kColumns, 1, out);
  }
  return out;
}

bool has_pending_tallies(Connection& db, std::int64_t most) {
  auto row = db.query(kStaleCount, most);
  return row.step() && row.integer(0) == most;
}

void settle_tallies(Connection& db) {
  for (auto const& [key, change] : pending_tallies(db)) write(db, key, change);
  db.run(kTallySettled);
}

std::int64_t wrong_tallies(Connection& db) {
  auto differences = pending_tallies(db);
  for (auto row = db.query(kTallyTasks); row.step();) tally_task(row, 0, -1, differences);
  for (auto row = db.query(kTallyAll); row.step();) {
    auto& counts = differences[key_in(row)];
    counts.n += row.integer(4);
    counts.blocked += row.integer(5);
  }
  for (auto row = db.query(kDueAll); row.step();)
    differences[key_in(row)].due[row.integer(4)] += row.integer(5);
  return std::ranges::count_if(differences, [](auto const& entry) {
    auto const& [n, blocked, due] = entry.second;
    return n != 0 || blocked != 0 ||
           std::ranges::any_of(due, [](auto const& day) { return day.second != 0; });
  });
}

std::vector<Tally> read_tallies(Connection& db, core::BoardId board, Facet facet, std::int64_t today,
                                std::size_t most) {
  auto counted = counted_in(db, board, facet, today, most);
  for (auto const& [key, change] : pending_tallies(db))
    if (key.board == board && key.facet == facet) add(counted, key, change, today);
  std::vector<Tally> out;
  for (auto& [key, tally] : counted.rows)
    if (tally.count != 0) out.push_back(std::move(tally));
  return out;
}

}  // namespace andon::store::sqlite
