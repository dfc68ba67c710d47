#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "reflect/text.hpp"
#include "store/sqlite/rows/document.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kFinished{"finished"};
Query const kFinishedLast{"finished_last"};
Query const kMovesOf{"moves_of"};
Query const kFormerColumns{"former_columns"};
Query const kOpenDependencies{"open_dependencies"};

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

std::string unfinished_columns(core::Board const& board) {
  boost::json::array list;
  for (auto const& column : board.columns)
    if (!core::is_terminal(column.stage)) list.emplace_back(column.name);
  return boost::json::serialize(list);
}

}  // namespace

std::vector<Finished> Transaction::finished(BoardId board, core::Instant since, std::size_t most) {
  refresh();
  return finished_in(db_.query(kFinished, board, since, most));
}

std::vector<Finished> Transaction::finished_last(BoardId board, core::Instant since, std::size_t most) {
  refresh();
  return finished_in(db_.query(kFinishedLast, board, since, most));
}

std::vector<ColumnMove> Transaction::moves_of(std::vector<core::TaskId> const& tasks) {
  std::vector<ColumnMove> out;
  for (auto const task : tasks)
    for (auto row = db_.query(kMovesOf, task); row.step();) out.push_back(move_in(row));
  return out;
}

std::vector<FormerColumn> Transaction::former_columns(std::string_view board, core::Instant since) {
  std::vector<FormerColumn> out;
  for (auto row = db_.query(kFormerColumns, board, since); row.step();)
    if (auto const stage = core::parse_stage(row.view(2)))
      out.push_back({row.instant(0), row.text(1), *stage});
  return out;
}

std::vector<core::Task> Transaction::longest_started(BoardId board, std::size_t limit) {
  refresh();
  return named(
      session_.tasks_in({.kind = engine::TaskSet::Kind::longest_started, .board = board, .most = limit}));
}

std::vector<std::pair<core::TaskId, core::TaskId>> Transaction::open_dependencies(BoardId board,
                                                                                  std::size_t limit) {
  refresh();
  std::vector<std::pair<core::TaskId, core::TaskId>> out;
  auto row = db_.query(kOpenDependencies, board, unfinished_columns(board_of(board)), limit);
  while (row.step()) out.emplace_back(row.integer(0), row.integer(1));
  std::ranges::sort(out);
  return out;
}

}  // namespace andon::store::sqlite
