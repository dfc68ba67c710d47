#include "store/markdown/sync/change_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <ranges>

#include "os/system_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/files/stable_read.hpp"
#include "store/markdown/sync/settings_sync.hpp"
#include "store/markdown/yaml/nesting.hpp"

namespace andon::store::markdown {
namespace {

using core::Task;
using core::TaskId;

/// Reading this many files takes about 20 ms.
constexpr std::size_t kFilesInPass = 200;

std::pair<FileNumber, std::string> by_number(std::string const& name) {
  return {number_in_name(name).value_or(0), name};
}

bool is_gone(Difference const& found, std::string const& name) {
  return std::ranges::find(found.gone, name, &FileRow::name) != found.gone.end();
}

bool is_loaded(std::vector<LoadedFile> const& files, std::string const& name) {
  return std::ranges::any_of(files, [&](auto const& loaded) { return loaded.row.name == name; });
}

}  // namespace

ReadChanges ChangeReader::read() {
  auto* const postponed = run_.postponed;
  if (postponed && pass_ == Pass::whole) postponed->unread.clear();
  if (postponed && !postponed->unread.empty()) return read_postponed();
  StableRead stable_read(run_.folder, run_.clock);
  for (;;) {
    if (!postponed) stable_read.begin();
    auto found = compare();
    if (!found && stable_read.wait()) continue;
    if (!found) throw os::SystemError("list", run_.folder.tasks().path().native(), ENOENT);
    auto out = load_changed(*std::move(found));
    bool const is_new = !out.found.to_read.empty() || !out.found.gone.empty();
    if (postponed || !is_new || stable_read.is_reached(missed(out)) || !stable_read.wait()) return out;
  }
}

/// Reads the files that an earlier pass left, before all files are compared again.
ReadChanges ChangeReader::read_postponed() {
  ReadChanges out;
  out.found.beside = run_.state;
  std::ranges::move(run_.postponed->unread, std::back_inserter(out.found.to_read));
  run_.postponed->unread.clear();
  postpone_rest(out.found);
  out.is_cut = out.is_continued = true;
  out.files = load_all(out.found.to_read);
  return out;
}

/// Returns nothing when the directory of tasks itself was removed meanwhile. Then the directory is opened, or
/// created, again.
std::optional<Difference> ChangeReader::compare() try {
  return difference(run_.index, run_.folder, run_.now, suspects_);
} catch (os::SystemError const& error) {
  if (error.number() != ENOENT || run_.postponed) throw;
  open_tasks(run_, run_.state.tasks_dir);
  return std::nullopt;
}

ReadChanges ChangeReader::load_changed(Difference found) {
  ReadChanges out;
  if (!run_.folder.is_to_write() && !found.is_none()) add_left_out(found);
  out.is_cut = postpone_rest(found);
  out.files = load_all(found.to_read);
  out.found = std::move(found);
  return out;
}

std::vector<LoadedFile> ChangeReader::load_all(std::vector<std::string> const& names) {
  std::vector<LoadedFile> out;
  out.reserve(names.size());
  for (auto const& name : names) out.push_back(load_task_file(run_, name));
  return out;
}

/// Also reads files that were left out, because another file with their number may be gone.
void ChangeReader::add_left_out(Difference& found) {
  for (auto const& [name, problem] : run_.index.problems())
    if (std::ranges::find(found.to_read, name) == found.to_read.end() && !is_gone(found, name))
      found.to_read.push_back(name);
}

/// Limits a brief pass to `kFilesInPass` files; true when files are left. A pass with missing files is not
/// limited: a missing file may have another name now, which only reading all files shows.
bool ChangeReader::postpone_rest(Difference& found) {
  auto* const postponed = run_.postponed;
  if (pass_ == Pass::whole || !postponed || !found.gone.empty() || found.to_read.size() <= kFilesInPass)
    return false;
  // Parents mostly have lower numbers, so they are read before their sub-tasks.
  std::ranges::sort(found.to_read, {}, by_number);
  auto const rest = found.to_read.begin() + kFilesInPass;
  postponed->unread.assign(std::make_move_iterator(rest), std::make_move_iterator(found.to_read.end()));
  found.to_read.resize(kFilesInPass);
  return true;
}

/// The last change that concerns a missing file, in nanoseconds since 1970. A file is missing when it is
/// gone, when it is no longer readable, or when another task depends on its task.
std::optional<std::int64_t> ChangeReader::missed(ReadChanges const& read) {
  std::optional<std::int64_t> out;
  auto const note = [&](std::int64_t at) { out = std::max(out.value_or(at), at); };
  std::unordered_set<TaskId> ids;
  for (auto const& loaded : read.files)
    if (loaded.task)
      ids.insert(loaded.task->id);
    else if (run_.known_file(loaded.row.name))
      note(loaded.row.stamp.modified);
  bool const is_name_missed =
      std::ranges::any_of(read.found.gone,
                          [&](auto const& row) { return row.task && !ids.contains(*row.task); }) ||
      std::ranges::any_of(read.files, [&](auto const& loaded) {
        return loaded.task && waits_for_missing(*loaded.task, ids);
      });
  if (is_name_missed) note(run_.folder.tasks().look().stamp.modified);
  return out;
}

bool ChangeReader::waits_for_missing(Task const& task, std::unordered_set<TaskId> const& read) {
  return !core::is_terminal(task.stage) && std::ranges::any_of(task.depends_on, [&](TaskId id) {
    return !read.contains(id) && !run_.known_task(id);
  });
}

void ChangeReader::read_too_deep(ReadChanges& read) {
  if (read.is_continued) return;
  auto names = unread_too_deep(read);
  if (names.empty() || (read.found.gone.empty() && !moves_parents(read.files))) return;
  std::ranges::sort(names, {}, by_number);
  auto const most = pass_ == Pass::brief && run_.postponed ? kFilesInPass : names.size();
  for (auto const& name : names | std::views::take(most)) read.files.push_back(load_task_file(run_, name));
  if (most >= names.size()) return;
  auto& unread = run_.postponed->unread;
  unread.insert(unread.end(), names.begin() + static_cast<std::ptrdiff_t>(most), names.end());
  read.is_cut = true;
}

std::vector<std::string> ChangeReader::unread_too_deep(ReadChanges const& read) {
  std::vector<std::string> out;
  for (auto const& [name, problem] : run_.index.problems())
    if (problem.ends_with(kTooDeep) && !is_loaded(read.files, name) && !is_gone(read.found, name))
      out.push_back(name);
  return out;
}

/// True when a file that was read is new or names another parent than before.
bool ChangeReader::moves_parents(std::vector<LoadedFile> const& files) {
  auto const in_store = [&](TaskId told) { return run_.id_of(as_number(told)); };
  return std::ranges::any_of(files, [&](LoadedFile const& loaded) {
    if (!loaded.task) return false;
    auto const id = in_store(loaded.task->id);
    auto const known = id ? run_.tx.task(*id) : std::nullopt;
    return !known || known->parent != (loaded.task->parent ? in_store(*loaded.task->parent) : std::nullopt);
  });
}

}  // namespace andon::store::markdown
