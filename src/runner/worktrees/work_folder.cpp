#include "runner/worktrees/work_folder.hpp"

#include "core/runs/work_branch.hpp"

namespace andon::runner {

namespace fs = std::filesystem;

fs::path work_folder(os::DataDirectory const& data, std::string const& board) {
  return fs::absolute(data.work) / board;
}

fs::path work_tree_of(os::DataDirectory const& data, std::string const& board, core::Task const& task) {
  auto const folder = work_folder(data, board);
  std::error_code none;
  for (fs::directory_iterator entry{folder, none}, end; entry != end; entry.increment(none))
    if (core::task_of_work(entry->path().filename().native()) == task.id) return entry->path();
  return folder / core::work_name(task.id, task.title);
}

std::filesystem::path lock_of_tree(std::filesystem::path const& directory) {
  return directory.parent_path() / ("." + directory.filename().native() + ".lock");
}

}  // namespace andon::runner
