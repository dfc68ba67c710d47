#include "store/markdown/sync/file_repair.hpp"

#include <algorithm>
#include <utility>

#include "os/system_error.hpp"
#include "store/markdown/index/publication.hpp"
#include "store/markdown/sync/repair.hpp"
#include "store/markdown/sync/task_file_state.hpp"
#include "store/markdown/yaml/scalar.hpp"
#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {
namespace {

std::vector<std::string_view> const kNoOrder;

}  // namespace

std::vector<core::TaskId> FileRepair::repair() {
  for (auto const& [number, files] : by_number()) keep_one(number, files);
  if (run_.folder.is_to_write())
    for (auto& loaded : files_)
      if (loaded.task && number_in_name(loaded.row.name) != as_number(loaded.task->id))
        rewrite(loaded, as_number(loaded.task->id), "the name did not begin with the task's number");
  return std::move(renumbered_);
}

std::unordered_map<FileNumber, FileRepair::FilesOfNumber> FileRepair::by_number() {
  std::unordered_map<FileNumber, FilesOfNumber> out;
  for (auto& loaded : files_)
    if (loaded.task) out[as_number(loaded.task->id)].push_back(&loaded);
  return out;
}

/// Gives new numbers to all but one of several files with one number. `keeper_of` decides which file keeps
/// it.
void FileRepair::keep_one(FileNumber number, FilesOfNumber const& files) {
  auto const other = unread_file_of(number);
  if (files.size() == 1 && !other) return;
  std::vector<std::string> names;
  if (other) names.push_back(*other);
  for (auto const* loaded : files) names.push_back(loaded->row.name);
  auto const keeper = keeper_of(number, names);
  for (auto* loaded : files)
    if (loaded->row.name != keeper) renumber(*loaded, number);
}

/// The unchanged file that has the number in the index.
std::optional<std::string> FileRepair::unread_file_of(FileNumber number) {
  auto const task = run_.is_fresh ? std::nullopt : run_.id_of(number);
  auto const known = task ? run_.index.of_task(*task) : std::nullopt;
  bool const is_other =
      known && run_.folder.tasks().look(known->name) &&
      std::ranges::none_of(files_, [&](auto const& loaded) { return loaded.row.name == known->name; });
  return is_other ? std::optional{known->name} : std::nullopt;
}

void FileRepair::renumber(LoadedFile& loaded, FileNumber taken) {
  auto const why = "another file has the number " + std::to_string(taken);
  if (!run_.folder.is_to_write()) {
    loaded.task.reset();
    loaded.row.problem = loaded.row.name + ": " + why;
    return;
  }
  auto const fresh = std::max<std::int64_t>(run_.state.next_id, highest_in_files(run_, files_) + 1);
  run_.state.next_id = fresh + 1;
  rewrite(loaded, FileNumber{fresh}, why);
}

/// Gives a file another number or name and reads it again.
void FileRepair::rewrite(LoadedFile& loaded, FileNumber number, std::string_view why) {
  auto const old_name = loaded.row.name;
  auto content = run_.folder.tasks().read(old_name, kLongestTask);
  auto file = content ? FrontMatter::parse(std::move(content->text), old_name)
                      : core::refuse(core::Code::kNotFound, "the file is gone");
  if (!file) return;
  file->set("id", {NewValue::Kind::text, std::to_string(number), {}, false}, kNoOrder);
  file->set("updated", {NewValue::Kind::text, yaml_time(run_.now), {}, false}, kNoOrder);
  auto const name = free_name(loaded, number);
  std::vector<NewFile> files{
      {name, old_name, loaded.row.stamp, loaded.row.hash, file->text(), mode_of(*loaded.task, run_.now)}};
  if (!publish_tasks(run_.folder, files)) return;  // the next run compares it again
  run_.warnings.tell("auto-repaired: " + old_name + " is now " + name + ": " + std::string{why});
  auto const before = run_.known_file(old_name);
  if (before && before->task) renumbered_.push_back(*before->task);
  run_.index.remove(old_name);
  loaded = load_task_file(run_, name);
  loaded.is_repaired = true;
}

/// The name that fits the number, with a suffix when another file has that name.
std::string FileRepair::free_name(LoadedFile const& loaded, FileNumber number) {
  auto name = repaired_name(number, loaded.task->title);
  auto const stem = name.substr(0, name.size() - 3);
  for (int n = 1; name != loaded.row.name && run_.folder.tasks().look(name); ++n)
    name = stem + "-" + std::to_string(n) + ".md";
  return name;
}

void fix_modes(SyncRun& run, std::vector<FileRow> const& rows) {
  for (auto row : rows) {
    try {
      run.folder.tasks().set_mode(row.name, row.claim_end && *row.claim_end > run.now ? 0444 : 0600);
    } catch (os::SystemError const& error) {
      run.warnings.tell(error.what());
    }
    auto const look = run.folder.tasks().look(row.name);
    if (!look || look->stamp.modified != row.stamp.modified || look->stamp.inode != row.stamp.inode) continue;
    row.stamp = look->stamp;
    run.index.put(row);
  }
}

}  // namespace andon::store::markdown
