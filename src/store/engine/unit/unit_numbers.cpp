#include <algorithm>

#include "store/engine/driver.hpp"
#include "store/engine/statistics.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

std::vector<std::string> unfinished_columns(core::Board const& board) {
  std::vector<std::string> out;
  for (auto const& column : board.columns)
    if (!core::is_terminal(column.stage)) out.push_back(column.name);
  return out;
}

}  // namespace

std::vector<Finished> Unit::finished(BoardId board, core::Instant since, std::size_t most) {
  refresh();
  return session_.statistics(AskFinished{board, since, most}).finished;
}

std::vector<Finished> Unit::finished_last(BoardId board, core::Instant since, std::size_t most) {
  refresh();
  return session_.statistics(AskFinished{board, since, most, true}).finished;
}

std::vector<ColumnMove> Unit::moves_of(std::vector<core::TaskId> const& tasks) {
  return session_.statistics(AskMovesOf{tasks}).moves;
}

std::vector<FormerColumn> Unit::former_columns(std::string_view board, core::Instant since) {
  return session_.statistics(AskFormerColumns{board, since}).columns;
}

std::vector<core::Task> Unit::longest_started(BoardId board, std::size_t limit) {
  refresh();
  return named(session_.tasks_in({.kind = TaskSet::Kind::longest_started, .board = board, .most = limit}));
}

std::vector<std::pair<core::TaskId, core::TaskId>> Unit::open_dependencies(BoardId board, std::size_t limit) {
  refresh();
  auto found = session_.statistics(AskDependencies{board, unfinished_columns(board_of(board)), limit});
  std::ranges::sort(found.dependencies);
  return std::move(found.dependencies);
}

}  // namespace andon::store::engine
