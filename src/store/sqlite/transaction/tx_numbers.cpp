#include <algorithm>

#include "store/engine/statistics.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

std::vector<std::string> unfinished_columns(core::Board const& board) {
  std::vector<std::string> out;
  for (auto const& column : board.columns)
    if (!core::is_terminal(column.stage)) out.push_back(column.name);
  return out;
}

}  // namespace

std::vector<Finished> Transaction::finished(BoardId board, core::Instant since, std::size_t most) {
  refresh();
  return session_.statistics(engine::AskFinished{board, since, most}).finished;
}

std::vector<Finished> Transaction::finished_last(BoardId board, core::Instant since, std::size_t most) {
  refresh();
  return session_.statistics(engine::AskFinished{board, since, most, true}).finished;
}

std::vector<ColumnMove> Transaction::moves_of(std::vector<core::TaskId> const& tasks) {
  return session_.statistics(engine::AskMovesOf{tasks}).moves;
}

std::vector<FormerColumn> Transaction::former_columns(std::string_view board, core::Instant since) {
  return session_.statistics(engine::AskFormerColumns{board, since}).columns;
}

std::vector<core::Task> Transaction::longest_started(BoardId board, std::size_t limit) {
  refresh();
  return named(
      session_.tasks_in({.kind = engine::TaskSet::Kind::longest_started, .board = board, .most = limit}));
}

std::vector<std::pair<core::TaskId, core::TaskId>> Transaction::open_dependencies(BoardId board,
                                                                                  std::size_t limit) {
  refresh();
  auto found =
      session_.statistics(engine::AskDependencies{board, unfinished_columns(board_of(board)), limit});
  std::ranges::sort(found.dependencies);
  return std::move(found.dependencies);
}

}  // namespace andon::store::sqlite
