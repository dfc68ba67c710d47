#include "store/markdown/sync/board_mirror.hpp"

#include <algorithm>

#include "core/tasks/rank.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "store/contract/unknown_result.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/files/stable_read.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/index/activity_log.hpp"
#include "store/markdown/sync/board_parts.hpp"
#include "store/markdown/sync/highest_epoch.hpp"
#include "store/markdown/sync/index_sync.hpp"
#include "store/markdown/sync/store_error.hpp"
#include "store/markdown/sync/task_file_state.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/task_file.hpp"
#include "store/markdown/yaml/task_text.hpp"

namespace andon::store::markdown {
namespace {

using core::Task;
using engine::Outdated;
using engine::Unit;

UnknownResult unknown_result(os::SystemError const& error) {
  bool const has_failed = dynamic_cast<FailedSync const*>(&error) != nullptr;
  return {has_failed ? UnknownResult::Disk::failed : UnknownResult::Disk::works, error.what()};
}

/// Makes `claimed_at` fit the end of the claim. In these files a claim lasts from `claimed_at` for the
/// board's claim timeout, so a renewal moves `claimed_at`. An agent's claim ends much sooner and is renewed
/// all the time. Its file is written just often enough that no reader takes the claim for ended.
void settle_claim(core::Board const& board, Task& task, core::Instant now) {
  if (!task.claim_expires || board.claim_timeout <= core::Duration::zero()) return;
  if (!task.state.supervised)
    task.claimed_at = *task.claim_expires - board.claim_timeout;
  else if (must_show_again(board, task, now))
    task.claimed_at = now;
}

/// The text of a task's file. Refuses a task whose file would be read as a different task.
std::string text_of(Unit& tx, Task const& told, FrontMatter const& file, core::Board const& board,
                    std::string const& name) {
  auto text = text_that_tells(told, file, board, name);
  if (text) return *std::move(text);
  tx.note_trouble();
  throw StoreError{StoreError::Kind::refused, "the task cannot be written: " + text.error().message};
}

/// Records a written file in the index.
void note_written(FileIndex& index, IndexState& beside, NewFile const& file, Task const& task,
                  core::Instant now) {
  auto names = static_cast<std::uint64_t>(beside.names);
  if (!file.old_name.empty()) {
    names -= static_cast<std::uint64_t>(name_part(file.old_name, file.base.inode));
    if (file.old_name != file.name) index.remove(file.old_name);
  }
  names += static_cast<std::uint64_t>(name_part(file.name, file.written.stamp.inode));
  beside.names = static_cast<std::int64_t>(names);
  index.put({file.name,
             task.id,
             file.written.stamp,
             in_nanoseconds(now),
             hash_of(file.text),
             claim_end_of(task),
             {},
             task.stage == core::Stage::archived});
}

}  // namespace

BoardMirror::BoardMirror(std::filesystem::path const& root, os::Clock const& clock, Warnings& warnings,
                         Numbering const& numbering, Access access, Calls calls)
    : folder_(root, access, std::move(calls)),
      clock_(clock),
      warnings_(warnings),
      numbering_(numbering),
      lock_(folder_.lock()) {}

/// Makes the unit run again after the file has been read again, even when its stamp is unchanged.
void BoardMirror::look_again(std::string const& name) {
  suspects_.add(name);
  throw Outdated{name};
}

/// Checks the file first when no catch-up has: a writer has caught up with all files except archived ones,
/// and a reader checks only the files it needs.
std::string BoardMirror::file_of(engine::FileTable& files, core::Board const&, core::TaskId task) {
  if (is_syncing_) return {};
  if (auto const* changed = unit_.task(task)) return folder_.tasks().path() / changed->file.name;
  auto const row = FileIndex{files}.of_task(task);
  if (!row) return {};
  if ((row->settled || !lock_.is_held()) && differs(*row, folder_, clock_.now())) look_again(row->name);
  return folder_.tasks().path() / row->name;
}

std::string BoardMirror::seen_file_of(engine::FileTable& files, core::Board const&, core::TaskId task) {
  auto const row = FileIndex{files}.of_task(task);
  return row ? std::string{folder_.tasks().path() / row->name} : std::string{};
}

void BoardMirror::refresh(engine::FileTable& files) {
  if (lock_.is_held()) return;
  FileIndex index(files);
  if (auto const changed = changed_file(index, folder_, clock_.now())) look_again(*changed);
}

void BoardMirror::on_not_found(engine::FileTable& files, core::TaskId task) {
  if (is_syncing_) return;
  refresh(files);
  for (auto const& [name, problem] : FileIndex{files}.problems())
    if (number_in_name(name) == as_number(task)) throw StoreError{StoreError::Kind::unusable, problem};
}

bool BoardMirror::open_known_tasks(IndexState const& beside) {
  if (beside.tasks_dir.empty() || !folder_.root().look(tasks_path(beside.tasks_dir))) return false;
  folder_.open_tasks(beside.tasks_dir);
  return true;
}

bool BoardMirror::is_current(engine::FileTable& files) {
  FileIndex index(files);
  if (!index.exists()) return false;
  auto const beside = index.beside();
  if (beside.tasks_dir.empty()) return !settings_differ(beside, folder_);
  if (!open_known_tasks(beside)) return false;
  if (settings_differ(beside, folder_) || names_differ(beside, folder_)) return false;
  return std::ranges::none_of(index.problems(), [&](auto const& problem) {
    auto const row = index.named(problem.first);
    return row && differs(*row, folder_, clock_.now());
  });
}

/// Reads the settings. The writer of a server does not wait until they are stable: it reads them again later.
std::optional<ReadSettings> BoardMirror::settings_in_files() const {
  return numbering_.is_attached() ? read_settings(folder_) : read_still_settings(folder_, clock_, false);
}

void BoardMirror::open_tasks() {
  auto const read = settings_in_files();
  if (!read) return;
  auto const name = read->file.word({"tasks_dir"});
  if (!numbering_.is_attached()) wait_for_directory(folder_, clock_, tasks_path(name));
  folder_.open_tasks(name);
}

void BoardMirror::enter() try {
  if (folder_.is_to_write()) lock_.hold();
} catch (os::SystemError const& error) {
  throw store_error(error);
}

void BoardMirror::leave() noexcept { lock_.release(); }

bool BoardMirror::catch_up(Unit& tx) { return !catch_up(tx, Pass::whole); }

bool BoardMirror::catch_up(Unit& tx, Pass pass) {
  bool all = true;
  is_syncing_ = true;
  try {
    FileIndex index(tx.files(), numbering_.board());
    bool const will_settle = folder_.is_to_write() && !numbering_.is_attached();
    if (will_settle && index.exists() && open_known_tasks(index.beside())) names_.begin(folder_.tasks());
    auto* postponed = numbering_.is_attached() ? &postponed_ : nullptr;
    if (folder_.is_to_write()) recover(tx, index);
    all = IndexSync(tx, numbering_, folder_, clock_, warnings_, suspects_.take(), postponed).run(pass);
  } catch (...) {
    is_syncing_ = false;
    throw;
  }
  is_syncing_ = false;
  return all;
}

/// Finishes or undoes writes that a crash interrupted, before any file is read. A new index does not have
/// the directory of tasks yet, so this directory is opened from the settings.
void BoardMirror::recover(Unit& tx, FileIndex& index) try {
  if (!index.exists() || !open_known_tasks(index.beside())) open_tasks();
  auto const warn = [&](std::string_view text) { warnings_.tell("auto-repair: " + std::string{text}); };
  finish_repairs(folder_, warn);
  if (publication(tx).recover(index.beside().published, warn)) tx.commit_index();
} catch (os::SystemError const& error) {
  throw store_error(error);
}

/// One directory may have an index of its own and be attached to servers at once. Each of them has its own
/// intent file.
Publication& BoardMirror::publication(Unit& tx) {
  if (publication_) return *publication_;
  auto index = std::string{tx.incarnation()};
  auto const own = numbering_.is_attached() ? "-" + index + "-" + std::to_string(numbering_.board()) : "";
  auto const prefix = own.empty() ? "task-" : "task" + own + "-";
  return publication_.emplace(folder_, "intent" + own, prefix, std::move(index));
}

void BoardMirror::take_back() { take_back(0); }

void BoardMirror::take_back(std::size_t first) try {
  if (first == 0) published_activity_.clear();
  if (publication_) publication_->take_back(first);
} catch (os::SystemError const& error) {
  throw unknown_result(error);
}

void BoardMirror::settle() noexcept {
  if (publication_) publication_->settle();
  if (auto const lines = std::exchange(published_activity_, {}); !lines.empty())
    append_activity(folder_, lines);
}

void BoardMirror::start_unit() { unit_.clear(); }

SettingsFile& BoardMirror::settings_to_change() {
  if (!unit_.settings()) {
    auto read = settings_in_files();
    if (!read) throw Outdated{};
    unit_.begin_settings(*std::move(read));
  }
  return unit_.settings_to_change();
}

void BoardMirror::adding(Unit& tx, core::Board& board) {
  if (core::is_attached(board)) {
    tx.note_trouble();
    throw StoreError{
        StoreError::Kind::refused,
        "this is a board of files itself; name the server it is to be attached to with --server URL, "
        "or its data directory with --dir"};
  }
  if (!tx.boards().empty()) {
    tx.note_trouble();
    throw StoreError{StoreError::Kind::other,
                     "a directory of Markdown files is one board; make another directory"};
  }
  auto const& settings = unit_.begin_settings(new_settings(board));
  if (auto const checked = check_settings(settings); !checked) {
    tx.note_trouble();
    throw StoreError{StoreError::Kind::unusable, checked.error().message};
  }
  auto const read = board_in(settings);
  keep_index_part(board, read);
}

void BoardMirror::putting(Unit&, core::Board const&, core::Board& board) {
  settings_to_change();
  auto& settings = unit_.settings_to_write();
  auto const was = board_in(settings);
  auto is = board;
  if (numbering_.is_attached()) {
    is = was;
    take_file_part(is, board);
  }
  write_board(settings, was, is);
  if (auto const checked = check_settings(settings); !checked)
    throw StoreError{StoreError::Kind::unusable, checked.error().message};
  if (numbering_.is_attached())
    take_file_part(board, board_in(settings));
  else
    keep_index_part(board, board_in(settings));
}

void BoardMirror::removing(Unit&, core::Board const& board) {
  throw StoreError{StoreError::Kind::other,
                   "board \"" + board.name + "\" is a directory of files; remove the directory"};
}

void BoardMirror::take_number(Unit& tx, FileNumber number) {
  if (number > kHighestNumber) refuse(tx, "the board has a task with the highest number there is");
  auto& settings = settings_to_change();
  if (next_id_in(settings) <= number) settings.set({"next_id"}, std::to_string(core::next(number)));
}

FileNumber BoardMirror::next_number(Unit& tx) {
  return std::max(next_id_in(settings_to_change()), core::next(numbering_.highest(tx)));
}

std::string BoardMirror::free_name(FileNumber number, std::string_view title) {
  auto const wanted = file_name_of(number, title);
  auto name = wanted;
  for (int n = 1; folder_.has_tasks() && folder_.tasks().look(name); ++n)
    name = wanted.substr(0, wanted.size() - 3) + "-" + std::to_string(n) + ".md";
  return name;
}

/// Gives a task of an attached board the next free number of its files.
void BoardMirror::number(Unit& tx, core::Board const& board, Task& task) {
  if (!numbering_.is_attached()) return;
  auto number = next_number(tx);
  while (numbering_.id_of(tx.files(), number)) number = core::next(number);
  numbering_.note(tx.files(), number, task.id);
  task.key = board.prefix + "-" + std::to_string(number);
  if (task.rank == core::rank_of(task.id)) task.rank = core::rank_of(as_id(number));
}

void BoardMirror::adding(Unit& tx, core::Board const& board, Task& task) {
  number(tx, board, task);
  settle_claim(board, task, clock_.now());
  task.body = FrontMatter::as_body(task.body);
  auto const told = numbering_.in_file(tx.files(), task);
  take_number(tx, as_number(told.id));
  auto file = FrontMatter::empty();
  write_task(file, Task{}, told, task.epoch > 0 ? EpochKey::write : EpochKey::keep);
  file.set_body(told.body);
  PendingTask pending;
  pending.number = as_number(told.id);
  pending.file.name = free_name(as_number(told.id), task.title);
  pending.file.text = text_of(tx, told, file, board, pending.file.name);
  settle(pending, task);
  unit_.put(task.id, std::move(pending));
}

/// Refuses to write this task only; other tasks of the board can still be written.
void BoardMirror::refuse(Unit& tx, std::string const& why) {
  tx.note_trouble();
  throw StoreError{StoreError::Kind::unreachable, "the task cannot be written: " + why};
}

PendingTask& BoardMirror::pending_of(Unit& tx, Task const& before) {
  if (auto* const known = unit_.task(before.id)) return *known;
  auto const row = FileIndex{tx.files(), numbering_.board()}.of_task(before.id);
  if (!row) throw std::logic_error{"a task without a file was put"};
  if (!row->problem.empty() && numbering_.is_attached()) refuse(tx, row->problem);
  auto content = folder_.tasks().read(row->name, kLongestTask);
  if (!content && numbering_.is_attached() && !postponed_.missing.empty()) refuse(tx, row->name + " is gone");
  if (!content || hash_of(content->text) != row->hash) look_again(row->name);
  PendingTask pending;
  pending.file.name = pending.file.old_name = row->name;
  pending.file.base = content->look.stamp;
  pending.file.base_hash = row->hash;
  pending.file.text = std::move(content->text);
  return unit_.put(before.id, std::move(pending));
}

void BoardMirror::putting(Unit& tx, core::Board const& board, Task const& before, Task& task,
                          bool with_body) {
  auto& pending = pending_of(tx, before);
  settle_claim(board, task, clock_.now());
  auto file = FrontMatter::parse(pending.file.text, pending.file.name);
  auto const was = file ? task_in(*file, board, pending.file.name) : std::unexpected(file.error());
  if (!was) look_again(pending.file.old_name);
  auto told = numbering_.in_file(tx.files(), task);
  if (numbering_.is_attached()) {
    told.source = was->source;
    told.created_by = was->created_by;
  }
  bool const is_new_claim = task.epoch != before.epoch;
  write_task(*file, *was, told, is_new_claim ? EpochKey::write : EpochKey::keep);
  if (!is_new_claim) told.epoch = was->epoch;
  if (with_body && task.body != file->body()) file->set_body(task.body = FrontMatter::as_body(task.body));
  told.body = with_body ? task.body : was->body;
  pending.number = as_number(told.id);
  pending.file.text = text_of(tx, told, *file, board, pending.file.name);
  if (task.title != before.title && file_name_of(as_number(told.id), task.title) != pending.file.name)
    pending.file.name = free_name(as_number(told.id), task.title);
  settle(pending, task);
}

void BoardMirror::settle(PendingTask& pending, Task& task) {
  pending.file.mode = mode_of(task, clock_.now());
  task.rev = rev_of(task, hash_of(pending.file.text));
  task.file =
      (folder_.has_tasks() ? folder_.tasks().path() : folder_.root().path() / "tasks") / pending.file.name;
  pending.after = task;
  pending.after.body.clear();
}

void BoardMirror::appending(Unit&, core::Event const& event) { unit_.note(event); }

bool BoardMirror::publish(Unit& tx) try {
  unit_.leave_out_same();
  if (unit_.is_empty()) return true;
  if (publication(tx).is_undecided())
    throw UnknownResult{UnknownResult::Disk::works, "the files of an earlier act are not put back yet"};
  if (!is_still_so() || !publish_files(tx)) return false;
  published_activity_ += unit_.activity();
  unit_.clear();
  return true;
} catch (os::SystemError const& error) {
  bool const is_unknown = publication_->is_undecided() || dynamic_cast<FailedSync const*>(&error);
  if (is_unknown) throw unknown_result(error);
  throw store_error(error);
}

bool BoardMirror::publish_files(Unit& tx) {
  FileIndex index(tx.files(), numbering_.board());
  core::Epoch epoch = 0;
  for (auto const& [id, pending] : unit_.tasks()) epoch = std::max(epoch, pending.after.epoch);
  raise_highest_epoch(folder_, epoch);
  if (published_units() == 0) tx.files().reserve_room();
  auto files = unit_.files();
  auto beside = index.beside();
  auto const unit = published_units();
  beside.published = std::max(beside.published, publication_->last()) + 1;
  if (!publication_->put(beside.published, files)) return false;
  try {
    note_published(index, beside, files);
  } catch (...) {
    take_back(unit);
    throw;
  }
  return true;
}

void BoardMirror::note_published(FileIndex& index, IndexState& beside, std::vector<NewFile> const& files) {
  auto const now = clock_.now();
  std::vector<NewFile> tasks;
  auto const* settings = unit_.settings();
  if (settings) {
    beside.settings.stamp = files.front().written.stamp;
    beside.settings.hash = hash_of(files.front().text);
    beside.settings.seen = in_nanoseconds(now);
    beside.next_id = next_id_in(*settings);
    beside.tasks_dir = settings->word({"tasks_dir"});
  }
  tasks.assign(files.begin() + (settings ? 1 : 0), files.end());
  auto file = tasks.begin();
  for (auto const& [id, pending] : unit_.tasks()) note_written(index, beside, *file++, pending.after, now);
  if (!tasks.empty()) {
    auto const known = names_.settle(folder_.tasks(), tasks, now);
    beside.directory = known.value_or(beside.directory);
    beside.directory_seen = known ? in_nanoseconds(now) : 0;
  }
  index.put(beside);
}

}  // namespace andon::store::markdown
