#include "runner/work_trees.hpp"

#include <algorithm>
#include <sys/stat.h>

#include "core/work_branch.hpp"
#include "runner/plain_text.hpp"
#include "runner/repository.hpp"
#include "runner/work_folder.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using service::WorkState;
using service::WorkTree;

constexpr std::int64_t kBlock = 512;  ///< the unit of `st_blocks`

/// Links are not followed: what they point to is not of the tree.
std::int64_t bytes_on_disk(fs::path const& directory) {
  std::int64_t bytes = 0;
  std::error_code trouble;
  fs::recursive_directory_iterator entry{directory, fs::directory_options::skip_permission_denied, trouble};
  for (fs::recursive_directory_iterator const end; !trouble && entry != end; entry.increment(trouble)) {
    struct stat about{};
    if (::lstat(entry->path().c_str(), &about) == 0) bytes += about.st_blocks * kBlock;
  }
  return bytes;
}

/// Commits that are in no form part of the default branch: one that was rebased counts as landed.
std::int64_t unlanded_commits(Git const& tree, std::string const& tip) {
  auto const count =
      tree.text({"rev-list", "--count", "--cherry-pick", "--right-only", "--no-merges", tip + "...HEAD"});
  return count ? std::strtoll(count->c_str(), nullptr, 10) : 0;
}

WorkTree look_at(core::Board const& board, fs::path const& directory, std::string const& tip) {
  WorkTree out;
  out.board = board.name;
  out.task = core::task_of_work(directory.filename().native());
  out.directory = directory;
  out.bytes = bytes_on_disk(directory);
  Git const tree{directory};
  out.branch = as_utf8(tree.text({"symbolic-ref", "--short", "--quiet", "HEAD"}).value_or(""));
  auto const status = tree.run({"status", "--porcelain", Git::kNotNested});
  out.dirty = !status.good || !status.out.empty();
  out.unlanded = tip.empty() ? 0 : unlanded_commits(tree, tip);
  return out;
}

WorkState state_of(WorkTree const& tree, service::WorkFact const* fact) {
  if (!fact) return WorkState::orphan;
  if (fact->running) return WorkState::running;
  if (fact->landed) return WorkState::landed;
  if (fact->waiting || !core::is_terminal(fact->stage)) return WorkState::kept;
  return tree.unlanded == 0 ? WorkState::landed : WorkState::orphan;
}

void add_facts(Desk& desk, std::vector<WorkTree>& trees) {
  service::WorkFactsRequest request;
  for (auto const& tree : trees) request.tasks.push_back(tree.task);
  auto const facts = desk.ask<service::WorkFacts>("work_facts", request);
  if (!facts) return;
  for (auto& tree : trees) {
    auto const fact = std::ranges::find(facts->items, tree.task, &service::WorkFact::task);
    tree.state = state_of(tree, fact == facts->items.end() ? nullptr : &*fact);
    if (fact != facts->items.end()) tree.title = fact->title;
  }
}

bool is_work_branch(std::string const& branch, core::TaskId task) {
  return branch.starts_with(core::kWorkBranches) &&
         core::task_of_work(std::string_view{branch}.substr(core::kWorkBranches.size())) == task;
}

}  // namespace

std::vector<WorkTree> find_work_trees(Desk& desk, os::DataDirectory const& data,
                                      std::vector<core::Board> const& boards) {
  std::vector<WorkTree> out;
  for (auto const& board : boards) {
    if (board.repo.empty()) continue;
    auto const repository = open_repository(board.repo);
    auto const tip = repository ? repository->tip : std::string{};
    std::error_code none;
    for (fs::directory_iterator entry{work_folder(data, board.name), none}, end; entry != end;
         entry.increment(none))
      if (core::task_of_work(entry->path().filename().native()) != 0)
        out.push_back(look_at(board, entry->path(), tip));
  }
  add_facts(desk, out);
  std::ranges::sort(out, {}, [](WorkTree const& tree) { return std::pair{tree.board, tree.task}; });
  return out;
}

std::string why_kept(WorkTree const& tree, bool force) {
  if (tree.state == WorkState::running) return "an agent works in it";
  if (force) return {};
  if (tree.dirty) return "it holds changes that no commit has";
  if (tree.state == WorkState::landed) return {};
  if (tree.unlanded > 0)
    return "it holds " + std::to_string(tree.unlanded) + " commits that the default branch does not have";
  return tree.state == WorkState::kept ? "its task is not finished" : "";
}

bool remove_work_tree(core::Board const& board, WorkTree const& tree, bool with_branch) {
  auto const repository = open_repository(board.repo);
  std::error_code trouble;
  if (repository) repository->git.run({"worktree", "remove", "--force", "--force", tree.directory});
  fs::remove_all(tree.directory, trouble);
  if (repository) forget_removed_trees(repository->git, fs::path{tree.directory}.parent_path());
  bool const holds_nothing = tree.unlanded == 0 || tree.state == WorkState::landed;
  if (repository && is_work_branch(tree.branch, tree.task) && (holds_nothing || with_branch))
    repository->git.run({"branch", "--quiet", "-D", tree.branch});
  return !fs::exists(fs::symlink_status(tree.directory, trouble));
}

void remove_landed_tree(os::DataDirectory const& data, core::Board const& board, core::Task const& task) {
  auto const directory = work_tree_of(data, board.name, task);
  std::error_code trouble;
  if (!fs::exists(directory, trouble)) return;
  auto tree = look_at(board, directory, {});
  tree.state = WorkState::landed;
  if (why_kept(tree, false).empty()) remove_work_tree(board, tree, true);
}

}  // namespace andon::runner
