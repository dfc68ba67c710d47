#include <algorithm>
#include <ranges>
#include <stdexcept>

#include "core/tasks/pick.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

constexpr std::size_t kPage = 500;

/// The columns that stay; columns that are being emptied come after them.
auto staying(core::Board const& board) {
  return board.columns |
         std::views::filter([](core::Column const& column) { return column.goes_to.empty(); });
}

/// True when tasks have the same derived columns on both boards.
bool derives_alike(core::Board const& a, core::Board const& b) {
  auto const is_same = [](core::Column const& x, core::Column const& y) {
    return x.name == y.name && x.stage == y.stage;
  };
  return core::needs_reader(a) == core::needs_reader(b) && a.priorities == b.priorities &&
         std::ranges::equal(a.classes, b.classes, {}, &core::ServiceClass::name, &core::ServiceClass::name) &&
         std::ranges::equal(staying(a), staying(b), is_same);
}

}  // namespace

core::Board const* Unit::board(std::string_view name_or_id) { return board_cache_.board(name_or_id); }
core::Board const* Unit::board(BoardId id) { return board_cache_.board(id); }

std::vector<core::Board const*> Unit::boards() {
  std::vector<core::Board const*> out;
  for (auto const& [id, board] : board_cache_.boards()) out.push_back(board.get());
  return out;
}

BoardId Unit::add(core::Board board) {
  if (core::is_attached(board) && !source_)
    throw StoreError{StoreError::Kind::refused,
                     "a store of many servers cannot have boards of files; serve the directory itself, or "
                     "import it"};
  before_write();
  auto const& known = board_cache_.boards();
  board.id = BoardId{(known.empty() ? BoardId{} : known.rbegin()->first) + 1};
  if (source_) source_->adding(*this, board);
  session_.write({.boards = {{.board = &board, .is_new = true}}});
  reshape();
  board_cache_.put(board);
  if (source_) source_->added(*this, board_of(board.id));
  return board.id;
}

void Unit::put(core::Board const& given) {
  before_write();
  auto const before = board_of(given.id);
  auto board = given;
  if (source_) source_->putting(*this, before, board);
  bool const derives = !board.removing && !derives_alike(before, board);
  bool const is_gradual = derives && is_to_settle(before);
  if (is_gradual) begin_to_settle(board);
  if (board.settling && !before.settling) begin_to_settle(board);
  if (!board.settling && before.settling) end_settling(board.id);
  session_.write({.boards = {{&board, before.name == board.name ? std::string{} : before.name}}});
  reshape();
  board_cache_.put(board);
  unsettle_claims(before, board);
  if (derives && !is_gradual) derive_tasks_of(*board_cache_.board(board.id));
}

void Unit::remove_board(BoardId id) {
  before_write();
  if (source_) source_->removing(*this, board_of(id));
  if (!session_.tasks_in({.kind = TaskSet::Kind::of_board, .board = id, .most = 1}).empty())
    throw std::logic_error{"a board with tasks cannot be removed"};
  drop_counts(board_of(id));
  session_.write({.boards_removed = {id}});
  reshape();
  board_cache_.remove_board(id);
}

core::Load Unit::load(BoardId board) {
  refresh();
  return rights_ == Rights::write ? loads_.of(session_, board) : session_.statistics(AskLoad{board}).load;
}

/// Raises the number by which other connections notice changed boards and workers.
void Unit::reshape() {
  session_.write({.reshaped = true});
  board_cache_.advance();
  turn_.reshaped = true;
  held_.clear();
  signals_.changes.reshape();
  tasks_.clear();
}

void Unit::derive_tasks_of(core::Board const& board) {
  core::Load load;
  for (core::TaskId last = 0;;) {
    auto const tasks = named(session_.tasks_in(
        {.kind = TaskSet::Kind::of_board, .board = board.id, .after = {{}, last}, .most = kPage}));
    if (tasks.empty()) break;
    for (auto const& before : tasks) {
      auto task = before;
      task.stage = core::stage_of(board, task.status);
      put_derived(task, before, board);
      auto const place = place_of(board, task);
      ++load.columns[place.column];
      if (!place.class_.empty()) ++load.classes[place.class_];
    }
    last = tasks.back().id;
  }
  loads_.recount(session_, board.id, std::move(load));
}

Derived Unit::put_derived(core::Task const& task, core::Task const& before, core::Board const& board) {
  auto derived = derive(board, task);
  session_.write({.derived = {{&task, &before, board.id, &derived}}});
  return derived;
}

}  // namespace andon::store::engine
