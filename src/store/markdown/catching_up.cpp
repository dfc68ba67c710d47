#include "store/markdown/catching_up.hpp"

#include <algorithm>
#include <charconv>

#include "core/board_title.hpp"
#include "core/names.hpp"
#include "os/file.hpp"
#include "store/markdown/board_settings.hpp"
#include "store/markdown/foreign_edit.hpp"
#include "store/markdown/repair.hpp"
#include "store/markdown/scalar.hpp"
#include "store/markdown/task_file.hpp"
#include "store/markdown/task_name.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::Task;
using core::TaskId;

std::int64_t next_id_in(SettingsFile const& file) {
  auto const text = file.word({"next_id"});
  std::int64_t out = 1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

std::vector<std::string_view> const kNoOrder;

/// Reading that many takes about a tenth of a second.
constexpr std::size_t kFilesInPass = 1000;

}  // namespace

StoreError store_error(os::SystemError const& error) {
  using enum StoreError::Kind;
  auto const kind = error.number() == ENOSPC || error.number() == EDQUOT ? no_space
                    : error.number() == EROFS || error.number() == EACCES || error.number() == EPERM
                        ? read_only
                        : other;
  return {kind, error.what()};
}

std::int64_t highest_epoch(BoardFolder const& folder) {
  auto const text = os::read_file_if_there(folder.highest_epoch(), 64).value_or("0");
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return std::clamp<std::int64_t>(out, 0, kHighestEpoch);
}

void raise_highest_epoch(BoardFolder const& folder, std::int64_t epoch) {
  if (epoch > highest_epoch(folder)) os::write_file(folder.highest_epoch(), std::to_string(epoch) + "\n");
}

void keep_index_part(Board& board, Board const& read) {
  auto merged = read;
  merged.id = board.id;
  merged.repo = board.repo;
  merged.worktree = board.worktree;
  merged.checks = board.checks;
  merged.sources = board.sources;
  merged.budget = board.budget;
  merged.archived = board.archived;
  merged.created = board.created;
  merged.rev = board.rev;
  board = std::move(merged);
}

void take_file_part(Board& board, Board const& read) {
  board.title = title_of(read);
  board.description = read.description;
  board.columns = read.columns;
  board.priorities = read.priorities;
  board.classes = read.classes;
  board.default_status = read.default_status;
  board.default_priority = read.default_priority;
  board.default_class = read.default_class;
  board.claim_timeout = read.claim_timeout;
  board.tui = read.tui;
}

void note_written(FileIndex& index, BesideFiles& beside, NewFile const& file, Task const& task,
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

CatchingUp::CatchingUp(sqlite::Transaction& tx, Numbering const& numbering, BoardFolder& folder,
                       core::Instant now, Warnings& warnings, Absences* absences)
    : tx_(tx),
      numbering_(numbering),
      index_(tx.connection(), numbering.board()),
      folder_(folder),
      now_(now),
      warnings_(warnings),
      absences_(absences) {}

bool CatchingUp::run(Pass pass) try {
  is_fresh_ = !index_.exists();
  if (is_fresh_) {
    index_.begin();
    if (folder_.is_to_write()) past_epochs_ = highest_epoch(folder_);
    tx_.commit_index();
  }
  beside_ = index_.beside();
  bool const changed = settings_differ(beside_, folder_);
  if (changed && !take_settings()) return true;
  auto const* board = tx_.board(numbering_.board());
  if (!board) return true;
  board_ = *board;
  if (!folder_.has_tasks()) folder_.open_tasks(beside_.tasks_dir);
  if (!folder_.has_tasks()) return true;
  if (folder_.is_to_write())
    recover(folder_, [&](std::string_view text) { warnings_.tell("auto-repair: " + std::string{text}); });
  auto found = difference(index_, folder_, now_);
  if (!folder_.is_to_write() && !found.is_none()) read_left_out(found);
  is_cut_ = cut(found, pass);
  number_after(std::max(beside_.next_id - 1, highest_number()));
  take_files(found);
  if (folder_.is_to_write() && (changed || !found.is_none())) raise_next_id();
  if (changed || found.is_news()) tx_.commit_index();
  return !is_cut_;
} catch (os::SystemError const& error) {
  throw store_error(error);
}

/// A brief pass reads so many files and no more. What went may have come back under another name, which only
/// a look at all of them tells.
bool CatchingUp::cut(Difference& found, Pass pass) const {
  if (pass == Pass::whole || is_fresh_ || !found.gone.empty() || found.to_read.size() <= kFilesInPass)
    return false;
  found.to_read.resize(kFilesInPass);
  return true;
}

/// False when the directory has no settings and so is no board.
bool CatchingUp::take_settings() {
  auto read = read_settings(folder_);
  if (!read) {
    if (tx_.board(numbering_.board()))
      throw StoreError{
          StoreError::Kind::unusable,
          "no kanban board found: " + (folder_.root().path() / kSettingsName).native() + " is gone"};
    return false;
  }
  auto look = read->content.look;
  bool const is_rewritten = read->migrated && folder_.is_to_write();
  if (is_rewritten) publish_settings(folder_, read->file.text(), &read->content, look);
  folder_.open_tasks(read->file.word({"tasks_dir"}));
  take_board(board_in(read->file));
  beside_.settings.stamp = look.stamp;
  beside_.settings.hash = hash_of(is_rewritten ? read->file.text() : read->content.text);
  beside_.settings.seen = in_nanoseconds(now_);
  beside_.next_id = next_id_in(read->file);
  beside_.tasks_dir = read->file.word({"tasks_dir"});
  index_.put(beside_);
  return true;
}

void CatchingUp::take_board(Board const& read) {
  auto const* known = tx_.board(numbering_.board());
  if (!known) {
    tx_.add(read);
    return;
  }
  auto board = *known;
  if (numbering_.is_attached())
    take_file_part(board, read);
  else
    keep_index_part(board, read);
  ++board.rev;
  tx_.put(board);
  if (numbering_.is_attached() && !is_fresh_) tx_.append(foreign_board_edit(board, "edited", now_));
}

/// What kept a file from being shown may be gone: another one with its number.
void CatchingUp::read_left_out(Difference& found) {
  auto const has = [](auto const& names, auto const& name, auto... of) {
    return std::ranges::find(names, name, of...) != names.end();
  };
  for (auto const& [name, problem] : index_.problems())
    if (!has(found.to_read, name) && !has(found.gone, name, &FileRow::name)) found.to_read.push_back(name);
}

void CatchingUp::take_files(Difference const& found) {
  loaded_.reserve(found.to_read.size());
  for (auto const& name : found.to_read) loaded_.push_back(load(name));
  repair();
  number_loaded();
  take_gone(found);
  take_tasks();
  for (auto row : found.seen_again) {
    row.seen = in_nanoseconds(now_);
    index_.put(row);
  }
  fix_modes(found);
  beside_.names = found.beside.names;
  beside_.directory = found.beside.directory;
  beside_.directory_seen = found.names_seen ? found.beside.directory_seen : beside_.directory_seen;
  if (!loaded_.empty() && std::ranges::any_of(loaded_, [](auto const& l) { return !l.text.empty(); }))
    beside_.directory_seen = 0;
  if (is_missing_ || is_cut_) beside_.names = beside_.directory_seen = 0;
  index_.put(beside_);
}

CatchingUp::Loaded CatchingUp::load(std::string const& name) {
  Loaded out;
  out.row.name = name;
  out.row.seen = in_nanoseconds(now_);
  try {
    auto content = folder_.tasks().read(name, kLongestTask);
    if (!content) return out;
    out.row.stamp = content->look.stamp;
    out.row.hash = hash_of(content->text);
    auto const shown = folder_.tasks().path().filename().native() + "/" + name;
    auto file = FrontMatter::parse(std::move(content->text), shown);
    auto task = file ? task_in(*file, board_, shown) : std::unexpected(file.error());
    if (task) {
      task->rev = rev_of(*task, out.row.hash);
      out.task = *std::move(task);
    } else {
      out.row.problem = task.error().message;
    }
  } catch (os::SystemError const& error) {
    auto const look = folder_.tasks().look(name);
    if (look) out.row.stamp = look->stamp;
    out.row.problem =
        name + ": " + (look && !look->is_file ? "is a link or no file; it is not followed" : error.what());
  }
  return out;
}

void CatchingUp::repair() {
  repair_numbers();
  if (!folder_.is_to_write()) return;
  for (auto& loaded : loaded_)
    if (loaded.task && id_in_name(loaded.row.name) != loaded.task->id)
      rewrite(loaded, loaded.task->id, "the name did not begin with the task's number");
}

/// Of several files with one number the one whose name begins with it keeps it, else the first by name.
void CatchingUp::repair_numbers() {
  std::unordered_map<TaskId, std::vector<Loaded*>> by_number;
  for (auto& loaded : loaded_)
    if (loaded.task) by_number[loaded.task->id].push_back(&loaded);
  for (auto& [id, files] : by_number) {
    auto const task = is_fresh_ ? std::nullopt : numbering_.id_of(tx_.connection(), id);
    auto const known = task ? index_.of_task(*task) : std::nullopt;
    bool const other =
        known && folder_.tasks().look(known->name) &&
        std::ranges::none_of(loaded_, [&](auto const& l) { return l.row.name == known->name; });
    if (files.size() == 1 && !other) continue;
    std::vector<std::string> names;
    if (other) names.push_back(known->name);
    for (auto const* loaded : files) names.push_back(loaded->row.name);
    auto const keeper = keeper_of(id, names);
    for (auto* loaded : files)
      if (loaded->row.name != keeper) renumber(*loaded, id);
  }
}

void CatchingUp::renumber(Loaded& loaded, TaskId taken) {
  auto const why = "another file has the number " + std::to_string(taken);
  if (!folder_.is_to_write()) {
    loaded.task.reset();
    loaded.row.problem = loaded.row.name + ": " + why;
    return;
  }
  auto const fresh = std::max(beside_.next_id, highest_number() + 1);
  beside_.next_id = fresh + 1;
  rewrite(loaded, fresh, why);
}

/// Gives a file another number or name and reads it again.
void CatchingUp::rewrite(Loaded& loaded, TaskId id, std::string_view what) {
  auto content = folder_.tasks().read(loaded.row.name, kLongestTask);
  auto file = content ? FrontMatter::parse(std::move(content->text), loaded.row.name)
                      : core::refuse(core::Code::kNotFound, "the file is gone");
  if (!file) return;
  file->set("id", {NewValue::Kind::text, std::to_string(id), {}, false}, kNoOrder);
  file->set("updated", {NewValue::Kind::text, yaml_time(now_), {}, false}, kNoOrder);
  auto name = repaired_name(id, loaded.task->title);
  auto const stem = name.substr(0, name.size() - 3);
  for (int n = 1; name != loaded.row.name && folder_.tasks().look(name); ++n)
    name = stem + "-" + std::to_string(n) + ".md";
  std::vector<NewFile> files{
      {name, loaded.row.name, loaded.row.stamp, loaded.row.hash, file->text(), mode_of(*loaded.task, now_)}};
  if (!publish_tasks(folder_, files)) return;  // it is looked at again as it is now
  warnings_.tell("auto-repair: " + loaded.row.name + " is now " + name + ": " + std::string{what});
  index_.remove(loaded.row.name);
  loaded = load(name);
  loaded.text = files.front().text;
  beside_.directory_seen = 0;
}

void CatchingUp::take_gone(Difference const& found) {
  std::vector<std::string> missed;
  for (auto const& row : found.gone) {
    bool const elsewhere =
        std::ranges::any_of(loaded_, [&](auto const& l) { return l.task && l.task->id == row.task; });
    if (row.task && !elsewhere && !may_go(row)) {
      missed.push_back(row.name);
      continue;
    }
    index_.remove(row.name);
    if (row.task && !elsewhere) drop(*row.task);
  }
  if (absences_) absences_->keep_only(missed);
  is_missing_ = !missed.empty();
}

/// What an agent works on stays until it has ended: its report waits for the file.
bool CatchingUp::may_go(FileRow const& row) {
  if (!absences_) return true;
  bool const is_over = absences_->is_over(row.name, now_);
  auto const task = tx_.task(*row.task);
  auto const run = task && task->run ? tx_.run(*task->run) : std::nullopt;
  return is_over && (!run || run->state == core::RunState::ended);
}

void CatchingUp::drop(TaskId id) {
  auto const task = tx_.task(id);
  if (!task) return;
  index_.remember_epoch(id, task->epoch + 1);
  flipped_.push_back(id);
  if (numbering_.is_attached()) tx_.append(foreign_removal(*task, now_));
  tx_.erase(id);
}

/// From here on tasks have the ids of the store.
void CatchingUp::number_loaded() {
  for (auto& loaded : loaded_)
    if (loaded.task) {
      auto const number = loaded.task->id;
      loaded.task = numbering_.in_store(tx_, *std::move(loaded.task));
      if (numbering_.is_attached()) loaded.task->key = board_.prefix + "-" + std::to_string(number);
    }
  is_numbered_ = true;
}

void CatchingUp::take_tasks() {
  for (auto const& loaded : loaded_)
    if (loaded.task) terminal_[loaded.task->id] = core::is_terminal(loaded.task->stage);
  for (auto& loaded : loaded_) {
    auto& row = loaded.row;
    if (row.stamp == Stamp{} && !loaded.task && row.problem.empty()) continue;
    auto const before = is_fresh_ ? std::nullopt : index_.named(row.name);
    bool const is_unread = before && before->task && !terminal_.contains(*before->task);
    if (is_unread && absences_ && !loaded.task)
      row.task = before->task;  // it stays as it was last read, and takes no writes
    else if (is_unread)
      drop(*before->task);
    if (loaded.task) take_task(loaded);
    index_.put(row);
  }
  recount_dependents();
}

void CatchingUp::take_task(Loaded& loaded) {
  auto task = *std::move(loaded.task);
  auto const known = is_fresh_ ? std::nullopt : tx_.task(task.id);
  task = known ? merged(std::move(task), *known) : first_seen(std::move(task));
  if (numbering_.is_attached() && !is_fresh_)
    for (auto& event : foreign_edit(known, task, now_)) tx_.append(std::move(event));
  task.state.open_deps = open_dependencies(task);
  loaded.row.task = task.id;
  loaded.row.settled = task.stage == core::Stage::archived;
  loaded.row.claim_end = claim_end_of(task);
  if (!is_fresh_ && (!known || core::is_terminal(known->stage) != core::is_terminal(task.stage)))
    flipped_.push_back(task.id);
  if (known)
    tx_.put(task, true);
  else
    tx_.add(std::move(task));
}

/// What the file does not tell stays as the index had it, as long as it is about the same claim and place.
Task CatchingUp::merged(Task task, Task const& known) {
  bool const same_claim = task.claimed_by == known.claimed_by && task.claimed_at == known.claimed_at;
  if (same_claim) {
    task.claim_expires = known.claim_expires;
    task.state.supervised = known.state.supervised;
    task.epoch = std::max(task.epoch, known.epoch);
  } else {
    task.epoch = std::max(task.epoch, known.epoch + 1);
  }
  if (task.status == known.status) task.state.entered = known.state.entered;
  if (task.created_by.empty()) task.created_by = known.created_by;
  task.state.stopping = known.state.stopping;
  task.state.notes = known.state.notes;
  task.run = known.run;
  numbering_.keep_foreign(tx_.connection(), task, known);
  if (numbering_.is_attached()) keep_server_part(task, known);
  return task;
}

/// Files are anybody's word: they say neither where a task came from nor that it may be given to an agent.
void CatchingUp::keep_server_part(Task& task, Task const& known) {
  task.source = known.source;
  task.created_by = known.created_by;
  task.approved = is_still_approved(board_, known, tx_.body(known.id).value_or(""), task);
}

Task CatchingUp::first_seen(Task task) {
  if (numbering_.is_attached()) {
    task.source = "file";
    task.approved = task.approved && core::trusts_files(board_);
  }
  if (is_fresh_ && past_epochs_ > 0) task.epoch = std::max(task.epoch, past_epochs_) + 1;
  if (!is_fresh_) task.epoch = std::max(task.epoch, index_.past_epoch(task.id));
  return task;
}

std::int64_t CatchingUp::open_dependencies(Task const& task) {
  return std::ranges::count_if(task.depends_on, [&](TaskId id) {
    if (auto const read = terminal_.find(id); read != terminal_.end()) return !read->second;
    auto const other = is_fresh_ ? std::nullopt : tx_.task(id);
    return other && !core::is_terminal(other->stage);
  });
}

void CatchingUp::recount_dependents() {
  for (auto const id : flipped_)
    for (auto const waiting : tx_.dependents(id)) {
      auto task = tx_.task(waiting);
      if (!task) continue;
      auto const open = open_dependencies(*task);
      if (std::exchange(task->state.open_deps, open) != open) tx_.put(*task, false);
    }
}

void CatchingUp::fix_modes(Difference const& found) {
  for (auto row : found.wrong_mode) {
    try {
      folder_.tasks().set_mode(row.name, row.claim_end && *row.claim_end > now_ ? 0444 : 0600);
    } catch (os::SystemError const& error) {
      warnings_.tell(error.what());
    }
    auto const look = folder_.tasks().look(row.name);
    if (!look || look->stamp.modified != row.stamp.modified || look->stamp.inode != row.stamp.inode) continue;
    row.stamp = look->stamp;
    index_.put(row);
  }
}

/// New tasks of an attached board are numbered by the store.
void CatchingUp::number_after(std::int64_t last) {
  if (!numbering_.is_attached()) tx_.number_tasks_after(last);
}

std::int64_t CatchingUp::highest_number() {
  auto highest = numbering_.highest(tx_.connection());
  for (auto const& [name, problem] : index_.problems())
    highest = std::max(highest, id_in_name(name).value_or(0));
  for (auto const& loaded : loaded_) {
    highest = std::max(highest, id_in_name(loaded.row.name).value_or(0));
    if (loaded.task && !is_numbered_) highest = std::max(highest, loaded.task->id);
  }
  return highest;
}

void CatchingUp::raise_next_id() {
  auto const highest = highest_number();
  auto read = read_settings(folder_);
  if (!read) return;
  auto const next = std::max(beside_.next_id, highest + 1);
  auto const told = next_id_in(read->file);
  number_after(next - 1);
  if (told >= next) return;
  read->file.set({"next_id"}, std::to_string(next));
  Look written;
  if (!publish_settings(folder_, read->file.text(), &read->content, written)) return;
  warnings_.tell("auto-repair: next_id was " + std::to_string(told) + " and is now " + std::to_string(next));
  beside_.settings.stamp = written.stamp;
  beside_.settings.hash = hash_of(read->file.text());
  beside_.settings.seen = in_nanoseconds(now_);
  beside_.next_id = next;
  index_.put(beside_);
}

}  // namespace andon::store::markdown
