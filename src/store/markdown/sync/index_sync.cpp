// One run brings the index up to the present files, in this order:
//
// 1. Settings: read `config.yml` when it changed, migrate an older version, and put the board.
// 2. Compare: find new, changed and missing files, and read the new and changed ones. Without a watch on the
//    directory this is repeated until the files are stable. A brief pass reads at most `kFilesInPass` files
//    and leaves the rest to the next pass.
// 3. Repair: give files with a taken number a new one, and rename files whose name does not fit.
// 4. Number: replace the numbers in the files by ids of the store.
// 5. Delete: drop tasks whose file is gone. An attached board waits for the grace period and the end of the
//    run.
// 6. Take: leave out files that are nested too deep, merge the others with the data that only the index has,
//    and put them. Attached boards get an event for each change.
// 7. Recount the open dependencies of tasks that wait for a changed task.
// 8. Correct file modes, store the state of the index, and raise `next_id`.

#include "store/markdown/sync/index_sync.hpp"

#include <algorithm>
#include <cerrno>
#include <ranges>
#include <utility>

#include "core/text/names.hpp"
#include "store/markdown/files/stable_read.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/sync/board_parts.hpp"
#include "store/markdown/sync/foreign_edit.hpp"
#include "store/markdown/sync/highest_epoch.hpp"
#include "store/markdown/sync/repair.hpp"
#include "store/markdown/sync/store_error.hpp"
#include "store/markdown/sync/task_file_state.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/nesting.hpp"
#include "store/markdown/yaml/scalar.hpp"
#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::Task;
using core::TaskId;

std::vector<std::string_view> const kNoOrder;

/// Reading this many files takes about 20 ms.
constexpr std::size_t kFilesInPass = 200;

std::pair<FileNumber, std::string> by_number(std::string const& name) {
  return {number_in_name(name).value_or(0), name};
}

}  // namespace

IndexSync::IndexSync(engine::Unit& tx, Numbering const& numbering, BoardFolder& folder,
                     os::Clock const& clock, Warnings& warnings, std::set<std::string> suspects,
                     Postponed* postponed)
    : tx_(tx),
      numbering_(numbering),
      index_(tx.files(), numbering.board()),
      folder_(folder),
      clock_(clock),
      now_(clock.now()),
      warnings_(warnings),
      suspects_(std::move(suspects)),
      postponed_(postponed) {}

bool IndexSync::run(Pass pass) try {
  pass_ = pass;
  is_fresh_ = !index_.exists();
  if (is_fresh_) {
    index_.begin();
    tx_.commit_index();
  }
  index_state_ = index_.beside();
  is_filling_ = is_fresh_ || index_state_.is_filling != 0;
  if (is_filling_ && folder_.is_to_write()) past_epochs_ = highest_epoch(folder_);
  bool const changed = settings_differ(index_state_, folder_);
  if (changed && !take_settings()) return true;
  auto const* board = tx_.board(numbering_.board());
  if (!board) return true;
  board_ = *board;
  if (!folder_.has_tasks() || !index_state_.tasks_dir.empty()) open_tasks(index_state_.tasks_dir);
  if (!folder_.has_tasks()) return true;
  auto const found = look(pass);
  number_after(std::max(FileNumber{index_state_.next_id - 1}, highest_number()));
  take_files(found);
  if (folder_.is_to_write() && (changed || !found.is_none())) raise_next_id();
  if (changed || found.is_news()) tx_.commit_index();
  return !is_cut_;
} catch (os::SystemError const& error) {
  throw store_error(error);
}

/// Finds and reads the changed files. On a board that is not watched it waits until the files are stable.
Difference IndexSync::look(Pass pass) {
  if (postponed_ && pass == Pass::whole) postponed_->unread.clear();
  if (postponed_ && !postponed_->unread.empty()) return left_unread(pass);
  StableRead stable_read(folder_, clock_);
  for (;;) {
    if (!postponed_) stable_read.begin();
    auto found = compare();
    if (!found && stable_read.wait()) continue;
    if (!found) throw os::SystemError("list", folder_.tasks().path().native(), ENOENT);
    if (!folder_.is_to_write() && !found->is_none()) read_left_out(*found);
    is_cut_ = cut(*found, pass);
    load_all(*found);
    bool const is_new = !found->to_read.empty() || !found->gone.empty();
    if (postponed_ || !is_new || stable_read.is_reached(missed(*found)) || !stable_read.wait())
      return *std::move(found);
  }
}

/// Reads the files that an earlier pass left, before all files are compared again.
Difference IndexSync::left_unread(Pass pass) {
  Difference out;
  out.beside = index_state_;
  std::ranges::move(postponed_->unread, std::back_inserter(out.to_read));
  postponed_->unread.clear();
  cut(out, pass);
  is_cut_ = is_continued_ = true;
  load_all(out);
  return out;
}

/// Returns nothing when the directory of tasks itself was removed meanwhile. Then the directory is opened, or
/// created, again.
std::optional<Difference> IndexSync::compare() try {
  return difference(index_, folder_, now_, suspects_);
} catch (os::SystemError const& error) {
  if (error.number() != ENOENT || postponed_) throw;
  open_tasks(index_state_.tasks_dir);
  return std::nullopt;
}

void IndexSync::load_all(Difference const& found) {
  loaded_.clear();
  loaded_.reserve(found.to_read.size());
  for (auto const& name : found.to_read) loaded_.push_back(load(name));
}

/// The last change that concerns a missing file, in nanoseconds since 1970. A file is missing when it is
/// gone, when it is no longer readable, or when another task depends on its task.
std::optional<std::int64_t> IndexSync::missed(Difference const& found) {
  std::optional<std::int64_t> out;
  auto const note = [&](std::int64_t at) { out = std::max(out.value_or(at), at); };
  std::unordered_set<TaskId> read;
  for (auto const& loaded : loaded_)
    if (loaded.task)
      read.insert(loaded.task->id);
    else if (!is_fresh_ && index_.named(loaded.row.name))
      note(loaded.row.stamp.modified);
  bool const is_name_missed =
      std::ranges::any_of(found.gone,
                          [&](auto const& row) { return row.task && !read.contains(*row.task); }) ||
      std::ranges::any_of(loaded_, [&](auto const& l) { return l.task && waits_for_missing(*l.task, read); });
  if (is_name_missed) note(folder_.tasks().look().stamp.modified);
  return out;
}

bool IndexSync::waits_for_missing(Task const& task, std::unordered_set<TaskId> const& read) {
  return !core::is_terminal(task.stage) && std::ranges::any_of(task.depends_on, [&](TaskId id) {
    return !read.contains(id) && (is_fresh_ || !tx_.task(id));
  });
}

/// Limits a brief pass to `kFilesInPass` files; true when files are left. A pass with missing files is not
/// limited: a missing file may have another name now, which only reading all files shows.
bool IndexSync::cut(Difference& found, Pass pass) {
  if (pass == Pass::whole || !postponed_ || !found.gone.empty() || found.to_read.size() <= kFilesInPass)
    return false;
  // Parents mostly have lower numbers, so they are read before their sub-tasks.
  std::ranges::sort(found.to_read, {}, by_number);
  auto const rest = found.to_read.begin() + kFilesInPass;
  postponed_->unread.assign(std::make_move_iterator(rest), std::make_move_iterator(found.to_read.end()));
  found.to_read.resize(kFilesInPass);
  return true;
}

std::optional<ReadSettings> IndexSync::settings_in_files() {
  if (postponed_) return read_settings(folder_);
  return read_still_settings(folder_, clock_, tx_.board(numbering_.board()) != nullptr);
}

void IndexSync::open_tasks(std::string const& name) {
  if (!postponed_) wait_for_directory(folder_, clock_, tasks_path(name));
  folder_.open_tasks(name);
}

/// False when the directory has no settings and so is no board.
bool IndexSync::take_settings() {
  auto read = settings_in_files();
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
  open_tasks(read->file.word({"tasks_dir"}));
  take_board(board_in(read->file));
  index_state_.settings.stamp = look.stamp;
  index_state_.settings.hash = hash_of(is_rewritten ? read->file.text() : read->content.text);
  index_state_.settings.seen = in_nanoseconds(now_);
  index_state_.next_id = next_id_in(read->file);
  index_state_.tasks_dir = read->file.word({"tasks_dir"});
  index_.put(index_state_);
  return true;
}

void IndexSync::take_board(Board const& read) {
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
  board.rev = core::next(board.rev);
  tx_.put(board);
  if (numbering_.is_attached() && !is_filling_) tx_.append(foreign_board_edit(board, "edited", now_));
}

/// Also reads files that were left out, because another file with their number may be gone.
void IndexSync::read_left_out(Difference& found) {
  auto const has = [](auto const& names, auto const& name, auto... of) {
    return std::ranges::find(names, name, of...) != names.end();
  };
  for (auto const& [name, problem] : index_.problems())
    if (!has(found.to_read, name) && !has(found.gone, name, &FileRow::name)) found.to_read.push_back(name);
}

void IndexSync::take_files(Difference const& found) {
  read_too_deep(found);
  repair();
  number_loaded();
  handle_deleted(found);
  take_tasks();
  drop_unnamed();
  recount_dependents();
  for (auto row : found.seen_again) {
    row.seen = in_nanoseconds(now_);
    index_.put(row);
  }
  fix_modes(found);
  index_state_.names = found.beside.names;
  index_state_.directory = found.beside.directory;
  index_state_.directory_seen = found.names_seen ? found.beside.directory_seen : index_state_.directory_seen;
  index_state_.settled = found.beside.settled;
  index_state_.settled_seen = found.beside.settled_seen;
  if (!loaded_.empty() && std::ranges::any_of(loaded_, [](auto const& l) { return !l.text.empty(); }))
    index_state_.directory_seen = 0;
  if (is_missing_ || is_cut_) index_state_.names = index_state_.directory_seen = 0;
  index_state_.is_filling = is_filling_ && is_cut_ ? 1 : 0;
  index_.put(index_state_);
}

/// Also reads files that were nested too deep, when a changed parent may have brought them within the limit.
void IndexSync::read_too_deep(Difference const& found) {
  if (is_continued_) return;
  std::vector<std::string> names;
  for (auto const& [name, problem] : index_.problems())
    if (problem.ends_with(kTooDeep) &&
        std::ranges::none_of(loaded_, [&](auto const& l) { return l.row.name == name; }) &&
        std::ranges::find(found.gone, name, &FileRow::name) == found.gone.end())
      names.push_back(name);
  if (names.empty() || (found.gone.empty() && !moves_parents())) return;
  std::ranges::sort(names, {}, by_number);
  auto const most = pass_ == Pass::brief && postponed_ ? kFilesInPass : names.size();
  for (auto const& name : names | std::views::take(most)) loaded_.push_back(load(name));
  if (most >= names.size()) return;
  postponed_->unread.insert(postponed_->unread.end(), names.begin() + static_cast<std::ptrdiff_t>(most),
                            names.end());
  is_cut_ = true;
}

/// Whether a file that was read is new or names another parent than before.
bool IndexSync::moves_parents() {
  auto const in_store = [&](TaskId told) { return numbering_.id_of(tx_.files(), as_number(told)); };
  return std::ranges::any_of(loaded_, [&](Loaded const& loaded) {
    if (!loaded.task) return false;
    auto const id = in_store(loaded.task->id);
    auto const known = id ? tx_.task(*id) : std::nullopt;
    return !known || known->parent != (loaded.task->parent ? in_store(*loaded.task->parent) : std::nullopt);
  });
}

IndexSync::Loaded IndexSync::load(std::string const& name) {
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

void IndexSync::repair() {
  repair_numbers();
  if (!folder_.is_to_write()) return;
  for (auto& loaded : loaded_)
    if (loaded.task && number_in_name(loaded.row.name) != as_number(loaded.task->id))
      rewrite(loaded, as_number(loaded.task->id), "the name did not begin with the task's number");
}

/// Gives new numbers to all but one of several files with one number. `keeper_of` decides which file keeps
/// it.
void IndexSync::repair_numbers() {
  std::unordered_map<FileNumber, std::vector<Loaded*>> by_number;
  for (auto& loaded : loaded_)
    if (loaded.task) by_number[as_number(loaded.task->id)].push_back(&loaded);
  for (auto& [number, files] : by_number) {
    auto const task = is_fresh_ ? std::nullopt : numbering_.id_of(tx_.files(), number);
    auto const known = task ? index_.of_task(*task) : std::nullopt;
    bool const other =
        known && folder_.tasks().look(known->name) &&
        std::ranges::none_of(loaded_, [&](auto const& l) { return l.row.name == known->name; });
    if (files.size() == 1 && !other) continue;
    std::vector<std::string> names;
    if (other) names.push_back(known->name);
    for (auto const* loaded : files) names.push_back(loaded->row.name);
    auto const keeper = keeper_of(number, names);
    for (auto* loaded : files)
      if (loaded->row.name != keeper) renumber(*loaded, number);
  }
}

void IndexSync::renumber(Loaded& loaded, FileNumber taken) {
  auto const why = "another file has the number " + std::to_string(taken);
  if (!folder_.is_to_write()) {
    loaded.task.reset();
    loaded.row.problem = loaded.row.name + ": " + why;
    return;
  }
  auto const fresh = std::max(index_state_.next_id, highest_number() + 1);
  index_state_.next_id = fresh + 1;
  rewrite(loaded, FileNumber{fresh}, why);
}

/// Gives a file another number or name and reads it again.
void IndexSync::rewrite(Loaded& loaded, FileNumber number, std::string_view what) {
  auto content = folder_.tasks().read(loaded.row.name, kLongestTask);
  auto file = content ? FrontMatter::parse(std::move(content->text), loaded.row.name)
                      : core::refuse(core::Code::kNotFound, "the file is gone");
  if (!file) return;
  file->set("id", {NewValue::Kind::text, std::to_string(number), {}, false}, kNoOrder);
  file->set("updated", {NewValue::Kind::text, yaml_time(now_), {}, false}, kNoOrder);
  auto name = repaired_name(number, loaded.task->title);
  auto const stem = name.substr(0, name.size() - 3);
  for (int n = 1; name != loaded.row.name && folder_.tasks().look(name); ++n)
    name = stem + "-" + std::to_string(n) + ".md";
  std::vector<NewFile> files{
      {name, loaded.row.name, loaded.row.stamp, loaded.row.hash, file->text(), mode_of(*loaded.task, now_)}};
  if (!publish_tasks(folder_, files)) return;  // the next run compares it again
  warnings_.tell("auto-repaired: " + loaded.row.name + " is now " + name + ": " + std::string{what});
  auto const before = is_fresh_ ? std::nullopt : index_.named(loaded.row.name);
  if (before && before->task) renumbered_.push_back(*before->task);
  index_.remove(loaded.row.name);
  loaded = load(name);
  loaded.text = files.front().text;
  index_state_.directory_seen = 0;
}

void IndexSync::handle_deleted(Difference const& found) {
  std::vector<std::string> missed;
  for (auto const& row : found.gone) {
    bool const elsewhere =
        std::ranges::any_of(loaded_, [&](auto const& l) { return l.task && l.task->id == row.task; });
    if (row.task && !elsewhere && !may_delete(row)) {
      missed.push_back(row.name);
      continue;
    }
    index_.remove(row.name);
    if (row.task && !elsewhere) drop(*row.task);
    if (auto const number = number_in_name(row.name); !row.task && number)
      if (auto const id = numbering_.id_of(tx_.files(), *number)) terminality_changed_.push_back(*id);
  }
  if (postponed_) postponed_->missing.keep_only(missed);
  is_missing_ = !missed.empty();
}

/// Whether the task of a missing file may be dropped. A task with a live run stays until the run has ended,
/// because the run's report needs the task.
bool IndexSync::may_delete(FileRow const& row) {
  if (!postponed_) return true;
  bool const is_over = postponed_->missing.is_over(row.name, now_);
  auto const task = tx_.task(*row.task);
  auto const run = task && task->run ? tx_.run(*task->run) : std::nullopt;
  return is_over && (!run || run->state == core::RunState::ended);
}

void IndexSync::drop(TaskId id) {
  auto const task = tx_.task(id);
  if (!task) return;
  index_.remember_epoch(id, core::next(task->epoch));
  terminality_changed_.push_back(id);
  if (numbering_.is_attached()) tx_.append(foreign_removal(*task, now_));
  tx_.erase(id);
}

/// Replaces the numbers of loaded tasks by ids of the store; all later steps use these ids.
void IndexSync::number_loaded() {
  for (auto& loaded : loaded_)
    if (loaded.task) {
      auto const number = as_number(loaded.task->id);
      loaded.task = numbering_.in_store(tx_, *std::move(loaded.task));
      if (numbering_.is_attached()) loaded.task->key = board_.prefix + "-" + std::to_string(number);
    }
  is_numbered_ = true;
}

/// The tasks of files that were left out earlier as nested too deep.
std::set<TaskId> IndexSync::too_deep_already() {
  std::set<TaskId> out;
  for (auto const& [name, problem] : index_.problems())
    if (auto const number = number_in_name(name); number && problem.ends_with(kTooDeep))
      if (auto const id = numbering_.id_of(tx_.files(), *number)) out.insert(*id);
  return out;
}

/// Leaves out files that are nested too deep, so that no walk along parents is endless.
void IndexSync::leave_out_too_deep() {
  std::unordered_map<TaskId, std::optional<TaskId>> parents;
  for (auto const& loaded : loaded_)
    if (loaded.task) parents.emplace(loaded.task->id, loaded.task->parent);
  auto const left_out = too_deep_already();
  auto const parent_of = [&](TaskId id) -> std::optional<TaskId> {
    if (auto const read = parents.find(id); read != parents.end()) return read->second;
    auto const known = is_fresh_ ? std::nullopt : tx_.task(id);
    return known ? known->parent : std::nullopt;
  };
  for (auto& loaded : loaded_) {
    if (!loaded.task || !loaded.task->parent) continue;
    auto const below = is_fresh_ ? 0 : tx_.levels_below(loaded.task->id, core::kMostAbove);
    bool const hangs_below =
        left_out.contains(*loaded.task->parent) && !parents.contains(*loaded.task->parent);
    if (!hangs_below && !is_nested_too_deep(loaded.task->id, below, parent_of)) continue;
    loaded.task.reset();
    loaded.row.problem = loaded.row.name + ": " + std::string{kTooDeep};
  }
}

void IndexSync::take_tasks() {
  leave_out_too_deep();
  for (auto const& loaded : loaded_)
    if (loaded.task) terminal_[loaded.task->id] = core::is_terminal(loaded.task->stage);
  unreadable_ = unreadable();
  for (auto& loaded : loaded_) {
    auto& row = loaded.row;
    if (row.stamp == Stamp{} && !loaded.task && row.problem.empty()) continue;
    auto const before = is_fresh_ ? std::nullopt : index_.named(row.name);
    bool const is_unread = before && before->task && !terminal_.contains(*before->task);
    if (is_unread && postponed_ && !loaded.task)
      row.task = before->task;  // the task stays as it was last read, and takes no writes
    else if (is_unread)
      drop(*before->task);
    if (loaded.task) take_task(loaded);
    index_.put(row);
  }
}

/// Drops the former tasks of files that have another number now and, once per index, all tasks without a
/// file.
void IndexSync::drop_unnamed() {
  for (auto const id : renumbered_)
    if (!index_.of_task(id)) drop(id);
  if (numbering_.is_attached() || std::exchange(index_state_.swept, 1) == 1) return;
  for (auto const id : index_.without_file()) drop(id);
}

void IndexSync::take_task(Loaded& loaded) {
  auto task = *std::move(loaded.task);
  auto const known = is_fresh_ ? std::nullopt : tx_.task(task.id);
  task = known ? merged(std::move(task), *known) : first_seen(std::move(task));
  if (numbering_.is_attached() && !is_filling_)
    for (auto& event : foreign_edit(known, task, now_)) tx_.append(std::move(event));
  task.state.open_deps = open_dependencies(task);
  loaded.row.task = task.id;
  loaded.row.settled = task.stage == core::Stage::archived;
  loaded.row.claim_end = claim_end_of(task);
  if (!is_fresh_ && (!known || core::is_terminal(known->stage) != core::is_terminal(task.stage)))
    terminality_changed_.push_back(task.id);
  if (known)
    tx_.put(task, true);
  else
    tx_.add(std::move(task));
}

/// The task of the file with the data that only the index has, as far as the claim and the column are
/// unchanged.
Task IndexSync::merged(Task task, Task const& known) {
  bool const same_claim = task.claimed_by == known.claimed_by && task.claimed_at == known.claimed_at;
  if (same_claim) {
    task.claim_expires = known.claim_expires;
    task.state.supervised = known.state.supervised;
    task.epoch = std::max(task.epoch, known.epoch);
  } else {
    task.epoch = std::max(task.epoch, core::next(known.epoch));
  }
  if (task.status == known.status) task.state.entered = known.state.entered;
  if (task.created_by.empty()) task.created_by = known.created_by;
  task.state.stopping = known.state.stopping;
  task.state.notes = known.state.notes;
  task.run = known.run;
  numbering_.keep_foreign(tx_.files(), task, known);
  if (numbering_.is_attached()) keep_server_part(task, known);
  return task;
}

/// Keeps origin, author and approval from the server. Anybody may write files, so a file of an attached board
/// decides neither where a task came from nor whether an agent may do it.
void IndexSync::keep_server_part(Task& task, Task const& known) {
  task.source = known.source;
  task.created_by = known.created_by;
  task.approved = is_still_approved(board_, known, tx_.body(known.id).value_or(""), task);
}

Task IndexSync::first_seen(Task task) {
  if (numbering_.is_attached()) {
    task.source = to_text(core::Source::file);
    task.approved = task.approved && core::trusts_files(board_);
  }
  if (is_filling_ && past_epochs_ > 0) task.epoch = core::next(std::max(task.epoch, past_epochs_));
  if (!is_fresh_) task.epoch = std::max(task.epoch, index_.past_epoch(task.id));
  return task;
}

/// The numbers of unreadable files. The content of such a file is unknown, so its task counts neither as done
/// nor as deleted.
std::set<TaskId> IndexSync::unreadable() {
  std::set<TaskId> out;
  if (numbering_.is_attached()) return out;  // an attached board keeps such tasks as they were
  for (auto const& [name, problem] : index_.problems())
    if (auto const number = number_in_name(name)) out.insert(as_id(*number));
  for (auto const& loaded : loaded_)
    if (auto const number = number_in_name(loaded.row.name); number && !loaded.row.problem.empty())
      out.insert(as_id(*number));
  return out;
}

std::int64_t IndexSync::open_dependencies(Task const& task) {
  return std::ranges::count_if(task.depends_on, [&](TaskId id) {
    if (auto const read = terminal_.find(id); read != terminal_.end()) return !read->second;
    auto const other = is_fresh_ ? std::nullopt : tx_.task(id);
    return other ? !core::is_terminal(other->stage) : unreadable_.contains(id);
  });
}

void IndexSync::recount_dependents() {
  for (auto const id : terminality_changed_)
    for (auto const waiting : tx_.dependents(id)) {
      auto task = tx_.task(waiting);
      if (!task) continue;
      auto const open = open_dependencies(*task);
      if (std::exchange(task->state.open_deps, open) != open) tx_.put(*task, false);
    }
}

void IndexSync::fix_modes(Difference const& found) {
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

/// Gives new tasks numbers above `last`. Those of an attached board get their ids from the store instead.
void IndexSync::number_after(FileNumber last) {
  if (!numbering_.is_attached()) tx_.number_tasks_after(as_id(last));
}

FileNumber IndexSync::highest_number() {
  auto highest = numbering_.highest(tx_);
  for (auto const& [name, problem] : index_.problems())
    highest = std::max(highest, number_in_name(name).value_or(0));
  for (auto const& loaded : loaded_) {
    highest = std::max(highest, number_in_name(loaded.row.name).value_or(0));
    if (loaded.task && !is_numbered_) highest = std::max(highest, as_number(loaded.task->id));
  }
  return highest;
}

void IndexSync::raise_next_id() {
  auto const highest = highest_number();
  auto read = settings_in_files();
  if (!read) return;
  auto const next = std::max(index_state_.next_id, highest + 1);
  auto const told = next_id_in(read->file);
  number_after(FileNumber{next - 1});
  if (told >= next) return;
  read->file.set({"next_id"}, std::to_string(next));
  FileStatus written;
  if (!publish_settings(folder_, read->file.text(), &read->content, written)) return;
  warnings_.tell("auto-repaired: next_id was " + std::to_string(told) + " and is now " +
                 std::to_string(next));
  index_state_.settings.stamp = written.stamp;
  index_state_.settings.hash = hash_of(read->file.text());
  index_state_.settings.seen = in_nanoseconds(now_);
  index_state_.next_id = next;
  index_.put(index_state_);
}

}  // namespace andon::store::markdown
