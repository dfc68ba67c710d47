#include "store/markdown/sync/loaded_file.hpp"

#include <algorithm>
#include <utility>

#include "os/system_error.hpp"
#include "store/markdown/sync/task_file_state.hpp"
#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {
namespace {

/// Fills in the task, or the problem of a file that is none.
void parse_content(SyncRun& run, std::string text, LoadedFile& out) {
  auto const shown = run.folder.tasks().path().filename().native() + "/" + out.row.name;
  auto const parsing = run.folder.begin_parsing(out.row.name, text, shown);
  auto file = parsing ? FrontMatter::parse(std::move(text), shown) : std::unexpected(parsing.error());
  auto task = file ? task_in(*file, run.board, shown) : std::unexpected(file.error());
  if (task) {
    task->rev = rev_of(*task, out.row.hash);
    out.task = *std::move(task);
  } else {
    out.row.problem = task.error().message;
  }
}

}  // namespace

LoadedFile load_task_file(SyncRun& run, std::string const& name) {
  LoadedFile out;
  out.row.name = name;
  out.row.seen = in_nanoseconds(run.now);
  try {
    auto content = run.folder.tasks().read(name, kLongestTask);
    if (!content) return out;
    out.row.stamp = content->look.stamp;
    out.row.hash = hash_of(content->text);
    parse_content(run, std::move(content->text), out);
  } catch (os::SystemError const& error) {
    auto const look = run.folder.tasks().look(name);
    if (look) out.row.stamp = look->stamp;
    out.row.problem =
        name + ": " + (look && !look->is_file ? "is a link or no file; it is not followed" : error.what());
  }
  return out;
}

void number_tasks(SyncRun& run, std::vector<LoadedFile>& files) {
  for (auto& loaded : files)
    if (loaded.task) {
      auto const number = as_number(loaded.task->id);
      loaded.task = run.numbering.in_store(run.tx, *std::move(loaded.task));
      if (run.numbering.is_attached()) loaded.task->key = run.board.prefix + "-" + std::to_string(number);
    }
}

FileNumber highest_in_names(SyncRun& run, std::vector<LoadedFile> const& files) {
  auto highest = run.numbering.highest(run.tx);
  for (auto const& [name, problem] : run.index.problems())
    highest = std::max(highest, number_in_name(name).value_or(0));
  for (auto const& loaded : files) highest = std::max(highest, number_in_name(loaded.row.name).value_or(0));
  return highest;
}

FileNumber highest_in_files(SyncRun& run, std::vector<LoadedFile> const& files) {
  auto highest = highest_in_names(run, files);
  for (auto const& loaded : files)
    if (loaded.task) highest = std::max(highest, as_number(loaded.task->id));
  return highest;
}

}  // namespace andon::store::markdown
