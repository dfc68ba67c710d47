#include "store/engine/unit/unit.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace andon::store::engine {
namespace {

/// The most texts that may wait for the full-text index.
constexpr std::int64_t kMostStale = 256;

}  // namespace

void Unit::start_unit(Undo undo) {
  undo_ = undo;
  session_.start_unit({});
  has_trouble_ = false;
  if (rights_ == Rights::read || board_cache_.is_empty()) board_cache_.refresh(session_);
  interest_ = {};
  changes_ = {};
  promoted_ = {};
  clear_slots();
  may_write_ = rights_ == Rights::write;
  again_ = Again::never;
  held_offered_ = 0;
  search_may_lag_ = false;
  saw_all_ = false;
  if (!may_write_) return;
  if (!numbers_) numbers_ = session_.statistics(AskLastNumbers{}).numbers;
  numbers_before_ = numbers_;
  loads_.start_unit();
  reshaped_ = false;
}

void Unit::refresh() {
  if (places_ && !std::exchange(saw_all_, true)) places_->refresh(session_.files());
}

void Unit::before_write() {
  if (!may_write_) throw std::logic_error{"a reading unit of work tried to write"};
  if (unit_wrote_) return;
  unit_wrote_ = true;
  if (undo_ == Undo::alone) set_mark();
  changes_.note();
}

void Unit::set_mark() {
  if (has_mark_) return;
  session_.set_mark();
  has_mark_ = true;
}

void Unit::keep_unit() {
  if (!std::exchange(unit_wrote_, false)) return;
  written_ = true;
  has_mark_ = false;
}

void Unit::undo_unit() {
  numbers_ = numbers_before_;
  loads_.undo_unit();
  if (reshaped_) board_cache_.drop();
  bool const wrote = std::exchange(unit_wrote_, false);
  bool const has_mark = std::exchange(has_mark_, false);
  if (wrote || has_mark) changes_ = std::move(promoted_);
  if (wrote && !has_mark) spoiled_ = true;
  if (has_mark) session_.undo_to_mark();
}

bool Unit::is_shared() const { return mirror_ && mirror_->is_shared(); }

void Unit::settle() {
  if (auto loads = loads_.take_changed(); !loads.empty()) session_.write({.loads = std::move(loads)});
  // On a board of files each command is a process; there the process that searches indexes the texts.
  if (!is_shared()) session_.index_texts(kMostStale);
  settle_counts();
}

void Unit::committed() {
  written_ = false;
  held_committed_ = held_;
}

void Unit::forget() {
  board_cache_.drop();
  loads_.drop();
  if (is_shared()) held_committed_.clear();
  held_ = held_committed_;
  numbers_.reset();
  clear_slots();
  unit_wrote_ = has_mark_ = spoiled_ = false;
  written_ = false;
}

void Unit::number_tasks_after(core::TaskId last) {
  numbers_->task = std::max<std::int64_t>(numbers_->task, last);
  numbers_before_->task = std::max<std::int64_t>(numbers_before_->task, last);
}

void Unit::number_runs_after(core::RunId last) {
  before_write();
  numbers_->run = std::max<std::int64_t>(numbers_->run, last);
  session_.write({.numbers = numbers_});
}

core::EventSeq Unit::last_seq() {
  if (rights_ == Rights::write) return numbers_->seq;
  return session_.statistics(AskLastNumbers{}).numbers.seq;
}

core::TaskId Unit::reserve_task() {
  before_write();
  return core::TaskId{++numbers_->task};
}

core::Board const& Unit::board_of(BoardId id) {
  auto const* board = board_cache_.board(id);
  if (!board)
    throw StoreError{StoreError::Kind::damaged,
                     "a task is on a board that does not exist; run `andon doctor`"};
  return *board;
}

core::Board const& Unit::board_named(core::Task const& task) {
  auto const* board = board_cache_.board(task.board);
  if (!board) throw std::logic_error{"a task was stored on an unknown board"};
  return *board;
}

}  // namespace andon::store::engine
