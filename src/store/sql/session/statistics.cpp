#include <type_traits>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "reflect/json.hpp"
#include "reflect/text.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/session/answers.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::Statistics;

Query const kColumnLoads{"column_loads"};
Query const kClassLoads{"class_loads"};
Query const kLastTask{"task_last_id"};
Query const kLastRun{"run_last_id"};
Query const kLastToken{"token_last_id"};
Query const kLastAutomation{"automation_last_id"};
Query const kFinished{"finished"};
Query const kFinishedLast{"finished_last"};
Query const kMovesOf{"moves_of"};
Query const kFormerColumns{"former_columns"};
Query const kOpenDependencies{"open_dependencies"};
Query const kLastMove{"columns_last_touched"};
Query const kNextAssignee{"next_assignee"};
Query const kEventsTraced{"events_traced"};

ColumnMove move_in(Statement const& row) {
  ColumnMove move;
  move.at = row.instant(0);
  reflect::TextForm<core::EventKind>::read(row.view(1), move.kind);
  move.task = core::TaskId{row.integer(2)};
  move.from = row.text(3);
  move.to = row.text(4);
  return move;
}

std::vector<Finished> finished_in(Statement row) {
  std::vector<Finished> out;
  while (row.step())
    out.push_back({core::TaskId{row.integer(0)}, row.instant(1), row.maybe_instant(2), row.instant(3),
                   row.text(4), row.text(5), row.maybe_id<core::RunId>(6)});
  return out;
}

std::string name_list(std::vector<std::string> const& names) {
  boost::json::array list;
  for (auto const& name : names) list.emplace_back(name);
  return boost::json::serialize(list);
}

void answer(Connection& db, engine::AskFinished const& ask, Statistics& out) {
  out.finished =
      finished_in(db.query(ask.newest_first ? kFinishedLast : kFinished, ask.board, ask.since, ask.most));
}

void answer(Connection& db, engine::AskMovesOf const& ask, Statistics& out) {
  for (auto const task : ask.tasks)
    for (auto row = db.query(kMovesOf, task); row.step();) out.moves.push_back(move_in(row));
}

void answer(Connection& db, engine::AskFormerColumns const& ask, Statistics& out) {
  for (auto row = db.query(kFormerColumns, ask.board, ask.since); row.step();)
    if (auto const stage = core::parse_stage(row.view(2)))
      out.columns.push_back({row.instant(0), row.text(1), *stage});
}

void answer(Connection& db, engine::AskDependencies const& ask, Statistics& out) {
  auto row = db.query(kOpenDependencies, ask.board, name_list(ask.columns), ask.limit);
  while (row.step()) out.dependencies.emplace_back(row.integer(0), row.integer(1));
}

void answer(Connection& db, engine::AskLastMove const& ask, Statistics& out) {
  auto row = db.query(kLastMove, ask.board, reflect::to_json(ask.columns));
  if (row.step()) out.last_move = row.instant(0);
}

void answer(Connection& db, engine::AskLoad const& ask, Statistics& out) {
  for (auto row = db.query(kColumnLoads, ask.board); row.step();)
    out.load.columns.emplace(row.text(0), row.integer(1));
  for (auto row = db.query(kClassLoads, ask.board); row.step();)
    out.load.classes.emplace(row.text(0), row.integer(1));
}

void answer(Connection& db, engine::AskLastEvent const&, Statistics& out) { out.numbers.seq = last_seq(db); }

void answer(Connection& db, engine::AskLastNumbers const&, Statistics& out) {
  out.numbers = {last_seq(db), number(db, kLastTask), number(db, kLastRun), number(db, kLastToken),
                 number(db, kLastAutomation)};
}

void answer(Connection& db, engine::AskAssignees const&, Statistics& out) {
  for (std::string last;;) {
    auto row = db.query(kNextAssignee, last);
    if (!row.step() || row.is_null(0)) return;
    last = row.text(0);
    out.assignees.push_back(last);
  }
}

void answer(Connection& db, engine::AskTraced const& ask, Statistics& out) {
  for (auto row = db.query(kEventsTraced, ask.after, ask.until); row.step();)
    out.traced.push_back(
        {core::EventSeq{row.integer(0)}, core::BoardId{row.integer(1)}, row.maybe_instant(2)});
}

}  // namespace

Statistics SqlSession::statistics(engine::StatisticsQuestion const& question) {
  Statistics out;
  std::visit([&](auto const& ask) { answer(db_, ask, out); }, question);
  return out;
}

}  // namespace andon::store::sql
