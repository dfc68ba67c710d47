#include "store/markdown/attached_boards.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/text/names.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/markdown/attachment.hpp"
#include "store/markdown/files/git_state.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/sync/foreign_edit.hpp"
#include "store/markdown/sync/index_sync.hpp"
#include "store/markdown/yaml/board_settings.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::BoardId;
using engine::Outdated;
using engine::Unit;
using Kind = StoreError::Kind;

/// How long a unit of work waits for the lock of a board. Commands of the same board hold the lock for
/// milliseconds.
constexpr std::chrono::milliseconds kAttachPatience{250};
/// How long the writer waits for one call on the files of a board. After that time the files are taken to be
/// on a mount that does not answer. The board is in trouble until the call returns.
constexpr std::chrono::milliseconds kAnswerTime{500};
/// The pause before a board in trouble is tried again.
constexpr std::chrono::seconds kTryAgain{1};
/// The pause before a board whose files git is changing is tried again, and the time after which that becomes
/// trouble.
constexpr std::chrono::milliseconds kGitMoment{20};
constexpr std::chrono::seconds kLongestGit{10};
/// How often all files are compared, for changes that the directory watch does not report.
constexpr std::chrono::seconds kLookAgainAfter{30};
/// How often all files are compared when there is no directory watch.
constexpr std::chrono::seconds kLookUntold{3};
constexpr char kReading[] = "its files are being read";

StoreError unreachable(Board const& board) {
  return {Kind::unreachable, "board \"" + board.name + "\" cannot be written: " + board.trouble};
}

/// Thrown when files would be read while git changes them: they may belong to two states of the board.
struct GitIsWorking {};

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

/// Whether a change of these names may have changed a setting or a task of the board.
bool is_changed(FileIndex& index, BoardFolder const& folder, std::set<std::string> const& names,
                core::Instant now) {
  auto const tasks_dir = folder.tasks().path().filename();
  return std::ranges::any_of(names, [&](std::string const& name) {
    if (name == kSettingsName) return settings_differ(index.beside(), folder);
    if (name == tasks_dir) return true;
    if (!is_task_name(name)) return false;
    auto const row = index.named(name);
    return row ? differs(*row, folder, now) : folder.tasks().look(name).has_value();
  });
}

}  // namespace

AttachedBoards::AttachedBoards(std::filesystem::path data, os::Clock const& clock, OnWarning on_warning)
    : data_(std::move(data)), clock_(clock), warnings_(std::move(on_warning)) {}

AttachedBoards::~AttachedBoards() { end(); }

std::string AttachedBoards::file_of(engine::FileTable& files, Board const& board, core::TaskId task) {
  if (!core::is_attached(board)) return {};
  FileIndex index{files, board.id};
  auto const row = index.of_task(task);
  if (!row) return {};
  return std::filesystem::path{board.directory} / tasks_path(index.beside().tasks_dir) / row->name;
}

void AttachedBoards::begin(std::function<void()> wake) {
  wake_ = std::move(wake);
  watcher_ = std::jthread{[this](std::stop_token const& stop) { watch(stop); }};
}

void AttachedBoards::end() noexcept {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  watch_->wake();
  watcher_.join();
}

void AttachedBoards::watch(std::stop_token const& stop) {
  while (!stop.stop_requested()) {
    auto const due = due_.load();
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(due - Steady::now()).count();
    bool const is_asleep = due == Steady::time_point::max() || is_woken_;
    bool const touched =
        watch_->wait(is_asleep ? -1 : static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (stop.stop_requested()) return;
    if ((touched || due_.load() <= Steady::now()) && !is_woken_.exchange(true)) wake_();
  }
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
  was_woken_ = is_woken_.exchange(false);
  if (!boards_.empty()) take_touched();
}

AttachedBoards::Steady::time_point AttachedBoards::look_again(Attached const& board) const {
  bool const is_missing = board.mirror && board.mirror->is_missing_files();
  if (is_missing) return board.looked + DeletionGracePeriod::longest();
  return board.looked + (board.is_told ? kLookAgainAfter : kLookUntold);
}

bool AttachedBoards::is_due(Attached const& board) const {
  auto const now = Steady::now();
  bool const is_touched = board.touched.everything || !board.touched.names.empty();
  return (board.is_behind || is_touched || now >= look_again(board)) && now >= board.not_before;
}

bool AttachedBoards::is_behind() {
  return is_unknown_ || std::ranges::any_of(boards_, [&](auto const& entry) { return is_due(entry.second); });
}

void AttachedBoards::know_all(Unit& tx) {
  for (auto const* board : tx.boards())
    if (core::is_attached(*board)) attached(*board);
  is_unknown_ = false;
}

bool AttachedBoards::catch_up(Unit& tx) {
  if (is_unknown_) know_all(tx);
  auto const is_now_due = [&](auto const& entry) { return is_due(entry.second); };
  auto due = std::ranges::find_if(
      boards_, [&](auto const& entry) { return entry.second.is_wanted && is_now_due(entry); });
  if (due == boards_.end()) due = std::ranges::find_if(boards_, is_now_due);
  if (due == boards_.end()) return false;
  auto const* board = tx.board(due->first);
  if (board && core::is_attached(*board) && board->directory == due->second.directory) {
    try_to_bring_up(tx, due->first, due->second);
    if (is_due(due->second)) return false;  // units of other boards come first
  } else {
    watch_->remove(due->first);
    boards_.erase(due);
  }
  return is_behind();
}

/// Catches all errors of the board's files, so that they do not affect other boards.
void AttachedBoards::try_to_bring_up(Unit& tx, BoardId id, Attached& board) {
  std::string trouble;
  try {
    bring_up_between_acts_of_git(tx, id, board);
    return set_trouble(tx, id, board.is_behind ? kReading : "");
  } catch (GitIsWorking const&) {
    tx.undo_unit();
    tx.start_unit();
    return wait_for_git(board);
  } catch (StoreError const& error) {
    if (tx.has_failed()) throw;
    trouble = error.what();
  } catch (os::SystemError const& error) {
    trouble = error.what();
  }
  tx.undo_unit();
  tx.start_unit();
  board.is_behind = true;
  board.touched = {};
  board.not_before = Steady::now() + kTryAgain;
  board.held.reset();
  set_trouble(tx, id, trouble);
}

void AttachedBoards::wait_for_git(Attached& board) {
  board.is_behind = true;
  board.touched = {};
  board.not_before = Steady::now() + kGitMoment;
  board.held.reset();
}

void AttachedBoards::stop_reading_for_git(Attached const& board) {
  if (Steady::now() - *board.git_since < kLongestGit) throw GitIsWorking{};
  throw StoreError{Kind::unreachable, "git has been changing its files for ten seconds"};
}

/// Throws GitIsWorking when git worked while the files were read: they may belong to two states, or a failed
/// read may be due to git.
void AttachedBoards::bring_up_between_acts_of_git(Unit& tx, BoardId id, Attached& board) {
  if (!board.git_since) board.git_since = Steady::now();
  auto const before = board.calls->run([directory = board.directory] { return GitState::of(directory); });
  if (before.is_working(clock_.now())) stop_reading_for_git(board);
  auto const has_worked = [&] { return board.calls->run([before] { return before.again(); }) != before; };
  try {
    bring_up(tx, id, board);
  } catch (StoreError const&) {
    if (!tx.has_failed() && has_worked()) stop_reading_for_git(board);
    board.git_since.reset();
    throw;
  }
  if (has_worked()) stop_reading_for_git(board);
  board.git_since.reset();
}

void AttachedBoards::bring_up(Unit& tx, BoardId id, Attached& board) {
  open(id, board);
  bool const all = board.is_behind || board.touched.everything || Steady::now() >= look_again(board);
  bool is_whole = true;
  if (all || has_changed(tx, id, board)) {
    hold(board);
    if (!board.is_told) watch_directories(id, board);
    tx.will_write();
    board.is_wanted = false;
    is_whole = board.mirror->catch_up(tx, Pass::brief);
    if (board.watched != board.mirror->folder().tasks().path()) {
      watch_directories(id, board);
      is_whole = board.mirror->catch_up(tx, Pass::brief);
    }
    tell_problems(tx, id, board);
  }
  if (all || board.held) board.looked = Steady::now();
  board.touched = {};
  board.is_behind = !is_whole;
}

void AttachedBoards::tell_problems(Unit& tx, BoardId id, Attached const& board) {
  for (auto const& [name, problem] : FileIndex{tx.files(), id}.problems())
    warnings_.tell(board.directory.native() + ": " + problem);
}

/// Opens the board again when its directory was replaced, as git does with directories.
void AttachedBoards::open(BoardId id, Attached& board) {
  if (board.mirror && board.mirror->folder().is_in_place()) return;
  board.mirror.reset();
  board.is_behind = true;
  board.calls->run([directory = board.directory] { check_still_there(directory); });
  watch_->remove(id);
  auto mirror = std::make_unique<BoardMirror>(board.directory, clock_, warnings_, Numbering::of_attached(id),
                                              Access::write, board.calls);
  mirror->open_tasks();
  if (!mirror->folder().has_tasks())
    throw StoreError{Kind::unreachable, (board.directory / kSettingsName).native() + " is gone"};
  board.mirror = std::move(mirror);
  watch_directories(id, board);
}

void AttachedBoards::watch_directories(BoardId id, Attached& board) {
  board.watched = board.mirror->folder().tasks().path();
  board.is_told = board.calls->run([watch = watch_, id, directory = board.directory, tasks = board.watched] {
    return watch->add(id, directory) && watch->add(id, tasks);
  });
  if (!board.is_told)
    warnings_.tell(board.directory.native() + " is looked at every " + std::to_string(kLookUntold.count()) +
                   " s, for this user has no inotify watch left; raise fs.inotify.max_user_watches and "
                   "fs.inotify.max_user_instances");
}

void AttachedBoards::hold(Attached& board) {
  if (board.held) return;
  board.held = board.calls->run([lock = board.lock] { return lock->take(kAttachPatience); });
  if (board.held) return;
  auto const holder =
      board.calls->run([path = board.directory / ".lock"] { return os::lock_holder_in_words(path); });
  throw StoreError{Kind::unreachable, "its lock has been held for long by " + holder};
}

bool AttachedBoards::has_changed(Unit& tx, BoardId id, Attached const& board) const {
  FileIndex index{tx.files(), id};
  auto const& folder = board.mirror->folder();
  return is_changed(index, folder, board.touched.names, clock_.now());
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

AttachedBoards::Attached& AttachedBoards::attached(Board const& board) {
  auto& entry = boards_[board.id];
  if (entry.directory == board.directory) return entry;
  watch_->remove(board.id);
  entry = {};
  entry.directory = board.directory;
  entry.calls = std::make_shared<os::CallThread>(entry.directory.native(), kAnswerTime);
  entry.lock = std::make_shared<os::AwaitedLock>(entry.directory / ".lock");
  return entry;
}

BoardMirror& AttachedBoards::entered(Unit& tx, Board const& board) {
  if (!board.trouble.empty()) {
    tx.note_trouble();
    throw unreachable(board);
  }
  auto& entry = attached(board);
  auto const again = [&] {
    entry.is_behind = entry.is_wanted = true;
    entry.not_before = {};
    throw Outdated{};
  };
  if (!entry.held) try {
      open(board.id, entry);
      hold(entry);
      take_touched();
      if (!entry.is_told || entry.touched.everything || has_changed(tx, board.id, entry)) again();
      entry.touched = {};
    } catch (StoreError const&) {
      again();
    } catch (os::SystemError const&) {
      again();
    }
  if (entry.git_since && Steady::now() < entry.not_before) {
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
  auto const due = next_due();
  bool const is_earlier = due_.exchange(due) > due;
  if (is_earlier || std::exchange(was_woken_, false)) watch_->wake();
}

AttachedBoards::Steady::time_point AttachedBoards::next_due() const {
  auto out = Steady::time_point::max();
  for (auto const& [id, board] : boards_)
    out = std::min(out, board.is_behind
                            ? std::max(board.not_before, Steady::now() + std::chrono::milliseconds{1})
                            : look_again(board));
  return out;
}

void AttachedBoards::start_unit() {
  for (auto& [id, board] : boards_)
    if (std::exchange(board.is_in_unit, false) && board.mirror) board.mirror->start_unit();
}

/// Runs an act on the files of a board. When it fails, all files of the board are compared again and the unit
/// is refused.
template <class Act>
auto AttachedBoards::touching_files(Unit& tx, Attached& board, Act const& act) try {
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
  auto in_unit = boards_ | std::views::values | std::views::filter(&Attached::is_in_unit);
  return std::ranges::all_of(in_unit, [](auto const& board) { return board.mirror->is_still_so(); }) &&
         std::ranges::all_of(in_unit, [&](auto const& board) { return board.mirror->publish(tx); });
}

void AttachedBoards::look_at_unit_again() {
  for (auto& [id, board] : boards_) {
    if (!board.is_in_unit) continue;
    board.is_behind = board.is_wanted = true;
    board.not_before = {};
  }
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
    bring_up_between_acts_of_git(tx, board.id, entry);
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
      attached(board).is_behind = attached(board).is_wanted = true;
      attached(board).not_before = {};
      throw;
    }
}

void AttachedBoards::appending(Unit& tx, core::Event const& event) {
  for (auto& [id, board] : boards_)
    if (board.is_in_unit) board.mirror->appending(tx, event);
}

}  // namespace andon::store::markdown
