#include "runner/worktrees/work_trees.hpp"

#include <algorithm>
#include <sys/stat.h>

#include "core/runs/work_branch.hpp"
#include "os/files/disk_use.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/repository_records.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using service::WorkState;
using service::WorkTree;

/// Counts commits that the default branch does not contain in any form: a rebased commit counts as landed.
std::int64_t unlanded_commits(Git const& tree, std::string const& tip) {
  auto const count =
      tree.text({"rev-list", "--count", "--cherry-pick", "--right-only", "--no-merges", tip + "...HEAD"});
  return count ? std::strtoll(count->c_str(), nullptr, 10) : 0;
}

/// The git of a tree, if it is the tree that was made for the task.
std::optional<Git> git_in(Repository const& repository, WorkTree const& tree, service::WorkFact const* fact) {
  auto opened = open_checkout(repository.git, tree.directory);
  if (!opened || opened->place().git_directory == repository.git.place().git_directory) return std::nullopt;
  bool const is_another = fact && fact->place && *fact->place != opened->place();
  return is_another ? std::nullopt : std::optional{*std::move(opened)};
}

/// Examines a tree. A directory that replaced the tree is not examined; it counts as dirty.
void look_at(WorkTree& out, core::Result<Repository> const& repository, service::WorkFact const* fact) {
  out.bytes = os::bytes_on_disk(out.directory);
  auto const tree = repository ? git_in(*repository, out, fact) : std::nullopt;
  out.dirty = true;
  if (!tree) return;
  out.branch = as_utf8(tree->text({"symbolic-ref", "--short", "--quiet", "HEAD"}).value_or(""));
  auto const status = tree->run({"status", "--porcelain", Git::kNotNested});
  out.dirty = !status.good || !status.out.empty();
  out.unlanded = unlanded_commits(*tree, repository->tip);
}

WorkState state_of(WorkTree const& tree, service::WorkFact const* fact) {
  if (!fact) return WorkState::orphan;
  if (fact->running) return WorkState::running;
  if (fact->landed) return WorkState::landed;
  if (fact->waiting || !core::is_terminal(fact->stage)) return WorkState::kept;
  return tree.unlanded == 0 ? WorkState::landed : WorkState::orphan;
}

/// The work trees in the folder of a board.
std::vector<WorkTree> trees_of(os::DataDirectory const& data, core::Board const& board) {
  std::vector<WorkTree> out;
  std::error_code none;
  for (fs::directory_iterator entry{work_folder(data, board.name), none}, end; entry != end;
       entry.increment(none)) {
    WorkTree tree;
    tree.board = board.name;
    tree.directory = entry->path();
    tree.task = core::task_of_work(entry->path().filename().native());
    if (tree.task != 0) out.push_back(std::move(tree));
  }
  return out;
}

core::Result<std::vector<service::WorkFact>> facts_about(OperationClient& client,
                                                         std::vector<WorkTree> const& trees) {
  service::WorkFactsRequest request;
  for (auto const& tree : trees) request.tasks.push_back(tree.task);
  ANDON_TRY(auto facts, client.call<&service::work_facts>(request));
  return std::move(facts.items);
}

bool is_work_branch(std::string const& branch, core::TaskId task) {
  return branch.starts_with(core::kWorkBranches) &&
         core::task_of_work(std::string_view{branch}.substr(core::kWorkBranches.size())) == task;
}

/// Without a turn, whoever makes the next work tree does it.
void forget_in_turn(Repository const& repository, fs::path const& folder) {
  auto const turn = RepositoryRecords{repository.git.use().records, repository.git.place()}.take_turn();
  if (turn) forget_removed_trees(repository.git, folder);
}

}  // namespace

core::Result<std::vector<WorkTree>> find_work_trees(OperationClient& client, os::DataDirectory const& data,
                                                    std::vector<core::Board> const& boards,
                                                    GitUse const& use) {
  std::vector<WorkTree> out;
  for (auto const& board : boards) {
    if (board.repo.empty()) continue;
    auto trees = trees_of(data, board);
    if (trees.empty()) continue;
    auto const repository = open_repository(repository_directory(board.repo, data), use);
    ANDON_TRY(auto const facts, facts_about(client, trees));
    for (auto& tree : trees) {
      auto const found = std::ranges::find(facts, tree.task, &service::WorkFact::task);
      auto const* fact = found == facts.end() ? nullptr : &*found;
      look_at(tree, repository, fact);
      tree.state = state_of(tree, fact);
      if (fact) tree.title = fact->title;
    }
    std::ranges::move(trees, std::back_inserter(out));
  }
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

bool remove_work_tree(os::DataDirectory const& data, core::Board const& board, WorkTree const& tree,
                      bool with_branch, GitUse const& use) {
  auto const repository = open_repository(repository_directory(board.repo, data), use);
  std::error_code trouble;
  fs::remove_all(tree.directory, trouble);
  if (repository) forget_in_turn(*repository, fs::path{tree.directory}.parent_path());
  bool const holds_nothing = tree.unlanded == 0 || tree.state == WorkState::landed;
  if (repository && is_work_branch(tree.branch, tree.task) && (holds_nothing || with_branch))
    repository->git.run({"branch", "--quiet", "-D", tree.branch});
  return !fs::exists(fs::symlink_status(tree.directory, trouble));
}

std::optional<WorkTree> landed_tree(OperationClient& client, os::DataDirectory const& data,
                                    core::Board const& board, core::Task const& task, GitUse const& use) {
  WorkTree tree;
  tree.board = board.name;
  tree.task = task.id;
  tree.directory = work_tree_of(data, board.name, task);
  std::error_code trouble;
  if (!fs::exists(tree.directory, trouble)) return std::nullopt;
  auto const facts = facts_about(client, {tree});
  if (!facts) return std::nullopt;
  look_at(tree, open_repository(repository_directory(board.repo, data), use),
          facts->empty() ? nullptr : &facts->front());
  tree.state = WorkState::landed;
  return tree;
}

}  // namespace andon::runner
