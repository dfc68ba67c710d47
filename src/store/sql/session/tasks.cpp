#include "store/sql/rows/json_text.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::TaskRow;
using engine::TaskSet;

Query const kBody{"body_by_task"};
Query const kTasksOfBoard{"tasks_of_board"};
Query const kTouching{"touching"};
Query const kAside{"pick_aside"};
Query const kLongestStarted{"longest_started"};
Query const kClaimsOf{"claims_of"};
Query const kExpiredClaims{"expired"};
Query const kClaimsAfter{"claims_after"};
Query const kRetriesAfter{"retries_after"};
Query const kAlike{"tasks_alike"};
Query const kDependents{"dependents"};
Query const kChildren{"children"};
Query const kProgress{"children_progress"};
Query const kLevels{"children_levels"};
Query const kReviewOf{"review_of"};

std::vector<core::TaskId> ids_in(Statement rows) {
  std::vector<core::TaskId> out;
  while (rows.step()) out.emplace_back(rows.integer(0));
  return out;
}

engine::Links links_of(Connection& db, core::TaskId task, engine::LinksQuery const& query) {
  engine::Links out;
  if (query.dependents) out.dependents = ids_in(db.query(kDependents, task, query.most));
  if (query.children) out.children = ids_in(db.query(kChildren, task, query.most));
  if (query.progress)
    if (auto row = db.query(kProgress, task); row.step())
      out.progress = core::Progress{row.integer(0), row.integer(1)};
  if (query.open_review)
    if (auto row = db.query(kReviewOf, task); row.step()) out.open_review = core::TaskId{row.integer(0)};
  if (query.levels > 0)
    if (auto row = db.query(kLevels, task, query.levels); row.step())
      out.levels = static_cast<int>(row.integer(0));
  return out;
}

}  // namespace

std::vector<TaskRow> SqlSession::tasks(engine::TasksQuery const& query) {
  std::vector<TaskRow> out;
  out.reserve(query.ids.size());
  for (auto const id : query.ids) {
    auto row = db_.query(kTaskById, id);
    if (!row.step()) continue;
    out.push_back(row_in(row));
    if (!query.with_bodies) continue;
    auto body = db_.query(kBody, id);
    if (!body.step()) continue;
    if (body.view(0).size() <= query.longest_body)
      out.back().task.body = body.text(0);
    else
      out.pop_back();
  }
  return out;
}

std::vector<TaskRow> SqlSession::tasks_in(TaskSet const& set) {
  using Kind = TaskSet::Kind;
  switch (set.kind) {
    case Kind::of_board: return rows_in(db_.query(kTasksOfBoard, set.board, set.after.second, set.most));
    case Kind::touching: return rows_in(db_.query(kTouching, set.board));
    case Kind::aside: return rows_in(db_.query(kAside, set.board, set.name, set.most));
    case Kind::longest_started: return rows_in(db_.query(kLongestStarted, set.board, set.most));
    case Kind::claimed_by: return rows_in(db_.query(kClaimsOf, set.name, set.at));
    case Kind::expired:
      return rows_in(db_.query(kExpiredClaims, set.at, set.after.first, set.after.second, set.most));
    case Kind::claims_after: return rows_in(db_.query(kClaimsAfter, set.at, set.most));
    case Kind::retries_after: return rows_in(db_.query(kRetriesAfter, set.at));
    case Kind::alike:
      return rows_in(db_.query(kAlike, set.board, number_list(set.keys), engine::kMostOfKey - 1, set.most));
  }
  return {};
}

std::vector<engine::Links> SqlSession::links(engine::LinksQuery const& query) {
  std::vector<engine::Links> out;
  for (auto const task : query.tasks) out.push_back(links_of(db_, task, query));
  return out;
}

}  // namespace andon::store::sql
