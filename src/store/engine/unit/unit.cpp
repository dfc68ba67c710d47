#include "store/engine/unit/unit.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "store/contract/store_error.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/external_source.hpp"

namespace andon::store::engine {
namespace {

/// The most texts that may wait for the full-text index.
constexpr std::int64_t kMostStale = 256;
/// After so many writes the unit asks the session again whether enough waits to be indexed or counted. The
/// answer costs a walk over all that waits.
constexpr int kLookEvery = 32;
/// The tasks that are kept from unit to unit. The tasks of a hundred workers fit.
constexpr std::size_t kMostKept = 256;
/// The tasks that one unit keeps for itself.
constexpr std::size_t kMostKeptByReader = 4;

}  // namespace

Unit::Unit(Session& session, Rights rights, Places* places)
    : session_(session),
      rights_(rights),
      places_(places),
      tasks_(rights == Rights::write ? kMostKept : kMostKeptByReader) {}

/// A reading session sees another state in each unit. Files change without the unit.
bool Unit::may_keep_tasks() const { return rights_ == Rights::write && !(source_ && source_->is_in_use()); }

void Unit::start_unit(Undo undo) {
  // Before the first call that can fail: a unit that fails early must undo nothing of the unit before it.
  turn_ = {.undo = undo, .may_write = rights_ == Rights::write, .numbers_before = numbers_};
  signals_ = {};
  loads_.start_unit();
  if (!may_keep_tasks()) tasks_.clear();
  session_.start_unit({});
  if (rights_ == Rights::read || board_cache_.is_empty()) board_cache_.refresh(session_);
  if (!turn_.may_write) return;
  if (!numbers_) numbers_ = session_.statistics(AskLastNumbers{}).numbers;
  turn_.numbers_before = numbers_;
}

void Unit::give_up_after(std::chrono::milliseconds most, std::shared_ptr<std::atomic<bool> const> abandoned) {
  session_.start_unit({most, std::move(abandoned)});
}

bool Unit::has_failed() const { return turn_.has_trouble || session_.state().has_failed; }

FileTable& Unit::files() { return session_.files(); }

core::TaskId Unit::highest_task() { return core::TaskId{session_.statistics(AskLastNumbers{}).numbers.task}; }

Records Unit::records(RecordsQuery const& query) { return session_.records(query); }

bool Unit::is_directory() const { return places_ && places_->is_directory(); }

void Unit::refresh() {
  if (places_ && !std::exchange(turn_.saw_all, true)) places_->refresh(session_.files());
}

void Unit::before_write() {
  if (!turn_.may_write) throw std::logic_error{"a reading unit of work tried to write"};
  if (batch_.unlooked) ++*batch_.unlooked;
  if (turn_.wrote) return;
  turn_.wrote = true;
  if (turn_.undo == Undo::alone) set_mark();
  signals_.changes.note();
}

void Unit::set_mark() {
  if (turn_.has_mark) return;
  session_.set_mark();
  turn_.has_mark = true;
}

void Unit::keep_unit() {
  if (!std::exchange(turn_.wrote, false)) return;
  batch_.has_written = true;
  turn_.has_mark = false;
}

void Unit::undo_unit() {
  numbers_ = turn_.numbers_before;
  loads_.undo_unit();
  if (turn_.reshaped) board_cache_.drop();
  bool const wrote = std::exchange(turn_.wrote, false);
  bool const has_mark = std::exchange(turn_.has_mark, false);
  if (wrote) tasks_.clear();
  if (wrote || has_mark) signals_.changes = std::move(signals_.promoted);
  if (wrote && !has_mark) batch_.is_spoiled = true;
  if (has_mark) session_.undo_to_mark();
}

bool Unit::is_shared() const { return source_ && source_->is_shared(); }

void Unit::write_counts() {
  if (auto loads = loads_.take_changed(); !loads.empty()) session_.write({.loads = std::move(loads)});
}

void Unit::settle() {
  write_counts();
  if (!is_look_due()) return;
  // On a board of files each command is a process; there the process that searches indexes the texts.
  if (!is_shared()) session_.index_texts(kMostStale);
  settle_counts();
}

bool Unit::is_look_due() {
  if (batch_.unlooked && *batch_.unlooked < kLookEvery) return false;
  batch_.unlooked = 0;
  return true;
}

void Unit::committed() {
  batch_.has_written = false;
  batch_.held_before = held_;
}

void Unit::forget() {
  board_cache_.drop();
  loads_.drop();
  if (is_shared()) batch_.held_before.clear();
  held_ = batch_.held_before;
  numbers_.reset();
  tasks_.clear();
  batch_.unlooked.reset();
  turn_.wrote = turn_.has_mark = batch_.is_spoiled = false;
  batch_.has_written = false;
}

void Unit::number_tasks_after(core::TaskId last) {
  numbers_->task = std::max<std::int64_t>(numbers_->task, last);
  turn_.numbers_before->task = std::max<std::int64_t>(turn_.numbers_before->task, last);
}

void Unit::number_runs_after(core::RunId last) {
  before_write();
  numbers_->run = std::max<std::int64_t>(numbers_->run, last);
  session_.write({.numbers = numbers_});
}

core::EventSeq Unit::last_seq() {
  if (rights_ == Rights::write) return numbers_->seq;
  return session_.statistics(AskLastEvent{}).numbers.seq;
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
