#include "store/markdown/attached_boards.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/text/names.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/attachment.hpp"
#include "store/markdown/sync/board_parts.hpp"
#include "store/markdown/sync/foreign_edit.hpp"
#include "store/markdown/sync/store_error.hpp"
#include "store/markdown/sync/task_file_state.hpp"
#include "store/markdown/yaml/board_settings.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::BoardId;
using engine::Outdated;
using engine::Unit;
using Kind = StoreError::Kind;

/// The pause before a board in trouble is tried again.
constexpr std::chrono::seconds kTryAgain{1};
/// The pause before a board whose files git is changing is tried again.
constexpr std::chrono::milliseconds kGitMoment{20};
constexpr char kReading[] = "its files are being read";

StoreError unreachable(Board const& board) {
  return {Kind::unreachable, "board \"" + board.name + "\" cannot be written: " + board.trouble};
}

/// Whether the change is only a renewal of an agent's claim, which the file need not show yet.
bool is_renewal(Board const& board, core::Task const& before, core::Task const& task, core::Instant now) {
  auto same = task;
  same.claim_expires = before.claim_expires;
  same.updated = before.updated;
  same.rev = before.rev;
  same.file = before.file;
  same.children = before.children;
  same.body = before.body;
  same.notice = before.notice;
  same.warnings = before.warnings;
  return task.state.supervised && before.state.supervised && same == before &&
         !must_show_again(board, task, now);
}

/// Erases a task; tasks of other boards that waited for it no longer wait.
void forget_task(Unit& tx, core::TaskId id) {
  auto const waiting = tx.dependents(id);
  bool const was_open = [&] {
    auto const task = tx.task(id);
    return task && !core::is_terminal(task->stage);
  }();
  tx.erase(id);
  for (auto const other : waiting) {
    auto task = tx.task(other);
    if (!task || !was_open || task->state.open_deps == 0) continue;
    --task->state.open_deps;
    tx.put(*task, false);
  }
}

}  // namespace

AttachedBoards::AttachedBoards(std::filesystem::path data, os::Clock const& clock, OnWarning on_warning)
    : data_(std::move(data)), clock_(clock), warnings_(std::move(on_warning)) {}

std::string AttachedBoards::file_of(engine::FileTable& files, Board const& board, core::TaskId task) {
  if (!core::is_attached(board)) return {};
  FileIndex index{files, board.id};
  auto const row = index.of_task(task);
  if (!row) return {};
  return std::filesystem::path{board.directory} / tasks_path(index.beside().tasks_dir) / row->name;
}

void AttachedBoards::take_touched() {
  for (auto& [id, touched] : watch_->take()) {
    auto const found = boards_.find(BoardId{id});
    if (found == boards_.end()) continue;
    found->second.touched.names.merge(touched.names);
    found->second.touched.everything = found->second.touched.everything || touched.everything;
    found->second.not_before = {};
  }
}

void AttachedBoards::enter() {
  alarm_.enter();
  if (!boards_.empty()) take_touched();
}

bool AttachedBoards::is_behind() {
  return is_unknown_ ||
         std::ranges::any_of(boards_, [&](auto const& entry) { return entry.second.is_due(); });
}

void AttachedBoards::know_all(Unit& tx) {
  for (auto const* board : tx.boards())
    if (core::is_attached(*board)) attached(*board);
  is_unknown_ = false;
}

bool AttachedBoards::catch_up(Unit& tx) {
  if (is_unknown_) know_all(tx);
  auto const is_now_due = [&](auto const& entry) { return entry.second.is_due(); };
  auto due = std::ranges::find_if(
      boards_, [&](auto const& entry) { return entry.second.is_wanted && is_now_due(entry); });
  if (due == boards_.end()) due = std::ranges::find_if(boards_, is_now_due);
  if (due == boards_.end()) return false;
  auto const* board = tx.board(due->first);
  if (board && core::is_attached(*board) && board->directory == due->second.directory) {
    try_to_bring_up(tx, due->first, due->second);
    if (due->second.is_due()) return false;  // units of other boards come first
  } else {
    watch_->remove(due->first);
    boards_.erase(due);
  }
  return is_behind();
}

/// Catches all errors of the board's files, so that they do not affect other boards.
void AttachedBoards::try_to_bring_up(Unit& tx, BoardId id, AttachedBoard& board) {
  std::string trouble;
  try {
    reading_.bring_up(tx, id, board);
    return set_trouble(tx, id, board.is_behind ? kReading : "");
  } catch (GitIsWorking const&) {
    tx.undo_unit();
    tx.start_unit();
    return board.try_again_after(kGitMoment);
  } catch (StoreError const& error) {
    if (tx.has_failed()) throw;
    trouble = error.what();
  } catch (os::SystemError const& error) {
    trouble = error.what();
  }
  tx.undo_unit();
  tx.start_unit();
  board.try_again_after(kTryAgain);
  set_trouble(tx, id, trouble);
}

void AttachedBoards::set_trouble(Unit& tx, BoardId id, std::string const& trouble) {
  auto const* known = tx.board(id);
  if (!known || known->trouble == trouble) return;
  auto board = *known;
  board.trouble = trouble;
  board.rev = core::next(board.rev);
  tx.put(board);
  tx.append(foreign_board_edit(board, trouble.empty() ? "reachable" : "unreachable", clock_.now()));
}

AttachedBoard& AttachedBoards::attached(Board const& board) {
  auto& entry = boards_[board.id];
  if (entry.directory == board.directory) return entry;
  watch_->remove(board.id);
  return entry = AttachedBoard::in(board.directory);
}

BoardMirror& AttachedBoards::entered(Unit& tx, Board const& board) {
  if (!board.trouble.empty()) {
    tx.note_trouble();
    throw unreachable(board);
  }
  auto& entry = attached(board);
  auto const again = [&] {
    entry.want();
    throw Outdated{};
  };
  if (!entry.held) try {
      reading_.open(board.id, entry);
      AttachedReading::hold(entry);
      take_touched();
      if (!entry.is_told || entry.touched.everything || reading_.has_changed(tx, board.id, entry)) again();
      entry.touched = {};
    } catch (StoreError const&) {
      again();
    } catch (os::SystemError const&) {
      again();
    }
  if (entry.git_since && AttachedBoard::Steady::now() < entry.not_before) {
    tx.note_trouble();
    throw StoreError{Kind::unreachable,
                     "git is changing the files of board \"" + board.name + "\"; try again"};
  }
  if (entry.is_behind) again();
  entry.is_in_unit = true;
  return *entry.mirror;
}

void AttachedBoards::leave() noexcept {
  start_unit();
  for (auto& [id, board] : boards_) board.held.reset();
  auto due = WriterAlarm::Time::max();
  for (auto const& [id, board] : boards_) due = std::min(due, board.next_due());
  alarm_.leave(due);
}

void AttachedBoards::start_unit() {
  for (auto& [id, board] : boards_)
    if (std::exchange(board.is_in_unit, false) && board.mirror) board.mirror->start_unit();
}

/// Runs an act on the files of a board. When it fails, all files of the board are compared again and the unit
/// is refused.
template <class Act>
auto AttachedBoards::touching_files(Unit& tx, AttachedBoard& board, Act const& act) try {
  return act();
} catch (os::SystemError const& error) {
  tx.note_trouble();
  board.is_behind = true;
  throw store_error(error);
}

/// Publishes the boards of one unit together or not at all.
bool AttachedBoards::publish(Unit& tx) try {
  std::vector<std::pair<BoardMirror*, std::size_t>> before;
  for (auto& [id, board] : boards_)
    if (board.is_in_unit) before.emplace_back(board.mirror.get(), board.mirror->published_units());
  auto const take_back_unit = [&] {
    look_at_unit_again();
    for (auto const& [mirror, units] : before) mirror->take_back(units);
  };
  try {
    if (publish_each(tx)) return true;
  } catch (...) {
    take_back_unit();
    throw;
  }
  take_back_unit();
  return false;
} catch (std::exception const&) {
  for (auto& [id, board] : boards_) board.is_behind = board.is_behind || board.is_in_unit;
  throw;
}

bool AttachedBoards::publish_each(Unit& tx) {
  auto in_unit = boards_ | std::views::values | std::views::filter(&AttachedBoard::is_in_unit);
  return std::ranges::all_of(in_unit, [](auto const& board) { return board.mirror->is_still_so(); }) &&
         std::ranges::all_of(in_unit, [&](auto const& board) { return board.mirror->publish(tx); });
}

void AttachedBoards::look_at_unit_again() {
  for (auto& [id, board] : boards_)
    if (board.is_in_unit) board.want();
}

/// Marks a board whose files cannot be put back as behind. Its next catch-up puts them back when the files
/// can be reached.
void AttachedBoards::take_back() {
  std::exception_ptr trouble;
  for (auto& [id, board] : boards_) try {
      if (board.mirror) board.mirror->take_back();
    } catch (StoreError const&) {
      board.is_behind = true;
      trouble = std::current_exception();
    }
  if (trouble) std::rethrow_exception(trouble);
}

void AttachedBoards::settle() noexcept {
  for (auto& [id, board] : boards_)
    if (board.mirror) board.mirror->settle();
}

void AttachedBoards::adding(Unit& tx, Board& board) {
  if (!core::is_attached(board)) return;
  auto const refuse = [&](std::string text) {
    tx.note_trouble();
    throw StoreError{Kind::refused, std::move(text)};
  };
  try {
    os::CallThread calls{board.directory, kAnswerTime};
    board = calls.run([board, data = data_] { return attachment(board, data); });
  } catch (os::SystemError const& error) {
    refuse(error.what());
  }
  for (auto const* other : tx.boards()) {
    if (other->id == board.id) continue;
    if (other->directory == board.directory)
      refuse(board.directory + " is attached already, as board \"" + other->name + "\"");
    if (core::same_name(other->name, board.name))
      refuse("there is already a board \"" + other->name + "\"; give this one another with --name");
    if (core::same_name(other->prefix, board.prefix))
      refuse("board \"" + other->name + "\" has the prefix " + other->prefix +
             "; give this one another with --prefix");
  }
}

void AttachedBoards::added(Unit& tx, Board const& board) {
  if (!core::is_attached(board)) return;
  engine::SourceSuspension const suspension{tx};
  auto& entry = attached(board);
  entry.is_behind = true;
  try {
    reading_.bring_up(tx, board.id, entry);
    if (entry.is_behind) set_trouble(tx, board.id, kReading);
  } catch (GitIsWorking const&) {
    tx.note_trouble();
    throw StoreError{Kind::refused, "git is changing the files of " + board.directory + "; try again"};
  } catch (os::SystemError const& error) {
    tx.note_trouble();
    throw StoreError{Kind::refused, error.what()};
  }
}

/// Writes the settings only when the change concerns them; columns that only the server stores do not.
void AttachedBoards::putting(Unit& tx, Board const& before, Board& board) {
  if (!core::is_attached(before)) return;
  auto same = board;
  take_file_part(same, before);
  if (reflect::to_json(same) == reflect::to_json(board)) return;
  auto& mirror = entered(tx, before);
  touching_files(tx, attached(before), [&] { mirror.putting(tx, before, board); });
}

void AttachedBoards::removing(Unit& tx, Board const& board) {
  if (board.directory.empty()) return;
  engine::SourceSuspension const suspension{tx};
  erase_tasks(tx, board);
  FileIndex{tx.files(), board.id}.remove_all();
  Numbering::of_attached(board.id).remove_all(tx.files());
}

void AttachedBoards::erase_tasks(Unit& tx, Board const& board) {
  for (auto const& row : FileIndex{tx.files(), board.id}.all())
    if (row.task) forget_task(tx, *row.task);
}

void AttachedBoards::adding(Unit& tx, Board const& board, core::Task& task) {
  if (!core::is_attached(board)) return;
  auto& mirror = entered(tx, board);
  touching_files(tx, attached(board), [&] { mirror.adding(tx, board, task); });
}

void AttachedBoards::putting(Unit& tx, Board const& board, core::Task const& before, core::Task& task,
                             bool with_body) {
  if (core::is_attached(board) && (with_body || !is_renewal(board, before, task, clock_.now()))) try {
      auto& mirror = entered(tx, board);
      touching_files(tx, attached(board), [&] { mirror.putting(tx, board, before, task, with_body); });
    } catch (Outdated const&) {
      attached(board).want();
      throw;
    }
}

void AttachedBoards::appending(Unit& tx, core::Event const& event) {
  for (auto& [id, board] : boards_)
    if (board.is_in_unit) board.mirror->appending(tx, event);
}

}  // namespace andon::store::markdown
