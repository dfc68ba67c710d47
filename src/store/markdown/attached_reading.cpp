#include "store/markdown/attached_reading.hpp"

#include <algorithm>
#include <utility>

#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/attachment.hpp"
#include "store/markdown/files/git_state.hpp"
#include "store/markdown/files/task_name.hpp"

namespace andon::store::markdown {
namespace {

/// How long a unit of work waits for the lock of a board. Commands of the same board hold the lock for
/// milliseconds.
constexpr std::chrono::milliseconds kAttachPatience{250};
/// The time after which waiting for git becomes trouble.
constexpr std::chrono::seconds kLongestGit{10};

[[noreturn]] void stop_reading_for_git(AttachedBoard const& board) {
  if (AttachedBoard::Steady::now() - *board.git_since < kLongestGit) throw GitIsWorking{};
  throw StoreError{StoreError::Kind::unreachable, "git has been changing its files for ten seconds"};
}

}  // namespace

void AttachedReading::bring_up(engine::Unit& tx, core::BoardId id, AttachedBoard& board) {
  if (!board.git_since) board.git_since = AttachedBoard::Steady::now();
  auto const before = board.calls->run([directory = board.directory] { return GitState::of(directory); });
  if (before.is_working(clock_.now())) stop_reading_for_git(board);
  auto const has_worked = [&] { return board.calls->run([before] { return before.again(); }) != before; };
  try {
    read(tx, id, board);
  } catch (StoreError const&) {
    if (!tx.has_failed() && has_worked()) stop_reading_for_git(board);
    board.git_since.reset();
    throw;
  }
  if (has_worked()) stop_reading_for_git(board);
  board.git_since.reset();
}

void AttachedReading::read(engine::Unit& tx, core::BoardId id, AttachedBoard& board) {
  open(id, board);
  auto const now = AttachedBoard::Steady::now();
  bool const all = board.is_behind || board.touched.everything || now >= board.look_again();
  bool const is_whole = (!all && !has_changed(tx, id, board)) || compare(tx, id, board);
  if (all || board.held) board.looked = AttachedBoard::Steady::now();
  board.touched = {};
  board.is_behind = !is_whole;
}

/// False when changed files are left for another unit.
bool AttachedReading::compare(engine::Unit& tx, core::BoardId id, AttachedBoard& board) {
  hold(board);
  if (!board.is_told) watch_directories(id, board);
  tx.will_write();
  board.is_wanted = false;
  bool is_whole = board.mirror->catch_up(tx, Pass::brief);
  if (board.watched != board.mirror->folder().tasks().path()) {
    watch_directories(id, board);
    is_whole = board.mirror->catch_up(tx, Pass::brief);
  }
  tell_problems(tx, id, board);
  return is_whole;
}

void AttachedReading::tell_problems(engine::Unit& tx, core::BoardId id, AttachedBoard const& board) {
  for (auto const& [name, problem] : FileIndex{tx.files(), id}.problems())
    warnings_.tell(board.directory.native() + ": " + problem);
}

void AttachedReading::open(core::BoardId id, AttachedBoard& board) {
  if (board.mirror && board.mirror->folder().is_in_place()) return;
  board.mirror.reset();
  board.is_behind = true;
  board.calls->run([directory = board.directory] { check_still_there(directory); });
  watch_->remove(id);
  auto mirror = std::make_unique<BoardMirror>(board.directory, clock_, warnings_, Numbering::of_attached(id),
                                              Access::write, board.calls);
  mirror->open_tasks();
  if (!mirror->folder().has_tasks())
    throw StoreError{StoreError::Kind::unreachable, (board.directory / kSettingsName).native() + " is gone"};
  board.mirror = std::move(mirror);
  watch_directories(id, board);
}

void AttachedReading::watch_directories(core::BoardId id, AttachedBoard& board) {
  board.watched = board.mirror->folder().tasks().path();
  board.is_told = board.calls->run([watch = watch_, id, directory = board.directory, tasks = board.watched] {
    return watch->add(id, directory) && watch->add(id, tasks);
  });
  if (!board.is_told)
    warnings_.tell(board.directory.native() + " is looked at every " + std::to_string(kLookUntold.count()) +
                   " s, for this user has no inotify watch left; raise fs.inotify.max_user_watches and "
                   "fs.inotify.max_user_instances");
}

void AttachedReading::hold(AttachedBoard& board) {
  if (board.held) return;
  board.held = board.calls->run([lock = board.lock] { return lock->take(kAttachPatience); });
  if (board.held) return;
  auto const holder =
      board.calls->run([path = board.directory / ".lock"] { return os::lock_holder_in_words(path); });
  throw StoreError{StoreError::Kind::unreachable, "its lock has been held for long by " + holder};
}

bool AttachedReading::has_changed(engine::Unit& tx, core::BoardId id, AttachedBoard const& board) const {
  FileIndex index{tx.files(), id};
  auto const& folder = board.mirror->folder();
  auto const tasks_dir = folder.tasks().path().filename();
  return std::ranges::any_of(board.touched.names, [&](std::string const& name) {
    if (name == kSettingsName) return settings_differ(index.beside(), folder);
    if (name == tasks_dir) return true;
    if (!is_task_name(name)) return false;
    auto const row = index.named(name);
    return row ? differs(*row, folder, clock_.now()) : folder.tasks().look(name).has_value();
  });
}

}  // namespace andon::store::markdown
