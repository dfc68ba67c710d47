#include "store/sql/session/search_walk.hpp"

#include <chrono>
#include <string>

#include "core/model/service_class.hpp"
#include "core/text/names.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/tasks_in_order.hpp"

namespace andon::store::sql {
namespace {

using engine::SearchRequest;
using engine::SearchRows;

/// So many tasks are checked at once.
constexpr std::size_t kCheckedAtOnce = 64;

std::string list_of(std::vector<core::TaskId> const& ids) {
  std::string out = "[";
  for (auto const id : ids) out += (out.size() > 1 ? "," : "") + std::to_string(id);
  return out + "]";
}

/// Binds the time, the day and the list, if there is one, then the values. Returns the last parameter.
int bind_search(Statement& row, SearchStatement const& statement, core::Instant now,
                std::optional<std::string> const& list) {
  int parameter = 0;
  row.bind(++parameter, now);
  row.bind(++parameter, std::int64_t{std::chrono::floor<std::chrono::days>(now).time_since_epoch().count()});
  if (list) row.bind(++parameter, std::string{*list});
  for (auto const& value : statement.values) row.bind(++parameter, value);
  return parameter;
}

/// The conditions that an index can answer, for a list that passes over few tasks. `Check` tests the others
/// one by one.
TaskFilter filter_of(core::SearchQuery const& query, core::Instant now) {
  TaskFilter filter;
  filter.now = now;
  filter.archived = true;
  for (auto const& [field, values, without, position] : query.conditions) {
    if (without || values.size() != 1) continue;
    auto const& value = values.front();
    switch (field) {
      case core::SearchField::status: filter.statuses = values; break;
      case core::SearchField::stage:
        filter.stages = {core::parse_stage(value).value_or(core::Stage::ready)};
        break;
      case core::SearchField::tag: filter.tag = value; break;
      case core::SearchField::class_:
        if (!core::same_name(value, core::kStandard)) filter.class_ = value;
        break;
      case core::SearchField::assignee: filter.assignee = value; break;
      case core::SearchField::role: filter.role = value; break;
      case core::SearchField::claimed_by: filter.claimed_by = value; break;
      case core::SearchField::parent: filter.parent = core::TaskId{std::int64_t{std::stoll(value)}}; break;
      case core::SearchField::board: filter.board = BoardId{std::int64_t{std::stoll(value)}}; break;
      case core::SearchField::is:
        if (value == "blocked") filter.blocked = true;
        if (value == "waiting") filter.open_deps = true;
        if (value == "claimed") filter.claimed = true;
        break;
      case core::SearchField::priority: break;
    }
  }
  return filter;
}

std::vector<Passed> some_of(NextTask const& next) {
  std::vector<Passed> out;
  while (out.size() < kCheckedAtOnce) {
    auto passed = next();
    if (!passed) break;
    out.push_back(std::move(*passed));
  }
  return out;
}

std::set<core::TaskId> checked(SearchCheck& check, std::vector<Passed> const& some) {
  std::vector<core::TaskId> ids;
  for (auto const& passed : some)
    if (passed.fits) ids.push_back(passed.id);
  return check.of(ids);
}

void add_task(Connection& db, SearchRows& page, core::TaskId id) {
  auto row = db.query(kTaskById, id);
  if (row.step()) page.rows.push_back({row_in(row)});
}

}  // namespace

std::set<core::TaskId> SearchCheck::of(std::vector<core::TaskId> const& ids) {
  std::set<core::TaskId> out;
  if (ids.empty()) return out;
  auto row = db_.assembled(statement_.sql);
  bind_search(row, statement_, now_, list_of(ids));
  while (row.step()) out.emplace(row.integer(0));
  return out;
}

Statement ranked_hits(Connection& db, SearchStatement const& statement, SearchRequest const& request) {
  auto row = db.assembled(statement.sql);
  int parameter = bind_search(row, statement, request.now, std::nullopt);
  row.bind(++parameter, request.limit + 1);  // one more shows whether there is a next page
  row.bind(++parameter, request.skip);
  return row;
}

SearchRows search_walked(Connection& db, WordSearch const& by, SearchRequest const& request) {
  SearchCheck check{db, by, request};
  auto const filter = filter_of(request.query, request.now);
  SortKey const after{request.after};
  SearchRows page;
  auto const next = tasks_in_order(db, filter, request.boards, TaskOrder::id, after, false);
  int offered = 0;
  for (auto some = some_of(next); !some.empty(); some = some_of(next)) {
    auto const fitting = checked(check, some);
    for (auto const& passed : some) {
      bool const fits = fitting.contains(passed.id);
      page.more = fits ? page.rows.size() == request.limit : ++offered == kMostOffered;
      if (fits && page.more) return page;
      page.after = passed.id;
      if (fits) add_task(db, page, passed.id);
      if (page.more) return page;
    }
  }
  return page;
}

}  // namespace andon::store::sql
