#include "runner/worktrees/work_trees.hpp"

#include <algorithm>
#include <sys/stat.h>

#include "core/model/clone_url.hpp"
#include "core/runs/work_branch.hpp"
#include "os/files/disk_use.hpp"
#include "os/system_error.hpp"
#include "runner/git/work_place.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/runs/borrowers.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/ledger.hpp"
#include "runner/worktrees/linked_tree.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "runner/worktrees/work_index.hpp"
#include "runner/worktrees/workspace.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using service::WorkState;
using service::WorkTree;

std::int64_t count_in(Git const& git, std::vector<std::string> const& question) {
  return std::strtoll(git.list(question).at(0).c_str(), nullptr, 10);
}

/// Counts the commits of a tree that the default branch has in no form: a rebased commit counts as landed.
/// The clone is asked about those of its head, since an agent may have changed the history that its own
/// repository shows (grafts, `shallow`). Those of its other branches and of its stash count too.
std::int64_t unlanded_commits(Repository const& clone, Git const& tree, std::string const& head,
                              service::WorkFact const* fact) {
  auto const& git = has_commit(clone.git, head) ? clone.git : tree;
  std::vector<std::string> question{
      "rev-list",    "--count",          "--cherry-pick",         "--right-only",
      "--no-merges", "--ignore-missing", clone.tip + "..." + head};
  for (auto const& landed : fact ? fact->squashed : std::vector<std::string>{})
    question.push_back("^" + landed);
  bool const has_landed = fact && fact->landed && fact->head == head;
  auto const here = has_landed ? 0 : count_in(git, question);
  return here + count_in(tree, {"rev-list", "--count", "--branches", "--glob=refs/stash", "--not", "HEAD",
                                clone.tip});
}

/// Whether the files of a tree hold changes that no commit of the clone has. A commit that the clone does not
/// have yet is not fetched: the supervising process may do so at the same time.
bool is_dirty(core::Board const& board, Repository const& clone, Git const& tree, std::string const& head) {
  return !has_commit(clone.git, head) || !take_stock({.clone = clone,
                                                      .tree = tree,
                                                      .head = head,
                                                      .base = {},
                                                      .kept_out = board.copy,
                                                      .filters = board.filters})
                                              .is_clean();
}

/// Examines a tree. One that cannot be examined counts as dirty, as does a directory that replaced the tree.
void look_at(WorkTree& out, core::Board const& board, os::DataDirectory const& data,
             core::Result<Repository> const& clone, service::WorkFact const* fact) try {
  out.bytes = os::bytes_on_disk(out.directory);
  out.dirty = true;
  if (!clone) return;
  auto const tree = open_work_tree(out.directory, board, data, clone->git.use());
  if (!tree || (fact && fact->place && !is_recorded_tree(*fact->place, tree->place()))) return;
  out.branch = as_utf8(checked_out_branch(*tree));
  auto const head = head_commit(tree->place(), tree->use());
  if (head.empty()) return;
  out.dirty = is_dirty(board, *clone, *tree, head);
  out.unlanded = unlanded_commits(*clone, *tree, head, fact);
} catch (os::SystemError const& error) {
  out.reason = shown_reason(error.what());
}

WorkState state_of(WorkTree const& tree, service::WorkFact const* fact) {
  if (!fact) return WorkState::orphan;
  if (fact->running) return WorkState::running;
  bool const is_on_base = !tree.dirty && tree.unlanded == 0;
  if (fact->landed) return is_on_base ? WorkState::landed : WorkState::kept;
  if (fact->waiting || !core::is_terminal(fact->stage)) return WorkState::kept;
  return is_on_base ? WorkState::landed : WorkState::orphan;
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

/// Removes what git knows of a linked work tree in the repository that it belongs to.
void forget_in_owner(core::Board const& board, fs::path const& clone, Git const& tree, bool with_branch) {
  if (is_own_repository(tree.place())) return;
  auto const owner = open_owner(board.repo, clone, tree.use());
  auto const head = head_commit(tree.place(), tree.use());
  auto const branch = checked_out_branch(tree);
  // Other branches are a person's, or the agent's choice.
  with_branch = with_branch && branch == branch_of_task(tree.place().directory, branch, board.branch_prefix);
  if (owner) forget_linked_tree(*owner, tree.place(), with_branch ? branch : "", head);
}

/// Andon's clone. Before the first use of it after an upgrade, the person's repository stands in for it.
core::Result<Repository> repository_of(core::Board const& board, os::DataDirectory const& data,
                                       GitUse const& use) {
  auto clone = open_clone(repository_directory(board.repo, data), use, board.branch);
  return clone || core::is_clone_url(board.repo) ? std::move(clone)
                                                 : open_repository(board.repo, use, board.branch);
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
    auto const repository = repository_of(board, data, use);
    ANDON_TRY(auto const facts, facts_about(client, trees));
    for (auto& tree : trees) {
      auto const found = std::ranges::find(facts, tree.task, &service::WorkFact::task);
      auto const* fact = found == facts.end() ? nullptr : &*found;
      look_at(tree, board, data, repository, fact);
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
  if (!tree.reason.empty()) return "it cannot be looked at: " + tree.reason;
  if (tree.dirty) return "it holds changes that no commit has";
  if (tree.state == WorkState::landed) return {};
  if (tree.unlanded > 0)
    return "it holds " + std::to_string(tree.unlanded) + " commits that the default branch does not have";
  return tree.state == WorkState::kept ? "its task is not finished" : "";
}

std::expected<Git, std::string> open_work_tree(fs::path const& directory, core::Board const& board,
                                               os::DataDirectory const& data, GitUse const& use) {
  auto place = find_work_place(directory);
  if (!place) return std::unexpected(place.error());
  auto of_tree = use;
  of_tree.lender = objects_of_clone(repository_directory(board.repo, data));
  if (is_own_repository(*place)) return Git{*std::move(place), std::move(of_tree)};
  auto const owner = open_owner(board.repo, repository_directory(board.repo, data), use);
  if (owner && is_linked_tree_of(*owner, *place)) return Git{*std::move(place), use};
  return std::unexpected(directory.native() + " is no work tree of that repository");
}

bool remove_work_tree(os::DataDirectory const& data, core::Board const& board, WorkTree const& tree,
                      bool with_branch, GitUse const& use) {
  bool const is_with_branch = tree.unlanded == 0 || tree.state == WorkState::landed || with_branch;
  fs::path const clone_directory{repository_directory(board.repo, data)};
  if (auto const opened = open_work_tree(tree.directory, board, data, use))
    forget_in_owner(board, clone_directory, *opened, is_with_branch);
  std::error_code trouble;
  fs::remove_all(tree.directory, trouble);
  fs::remove(lock_of_tree(tree.directory), trouble);
  bool const is_gone = !fs::exists(fs::symlink_status(tree.directory, trouble));
  if (is_gone) {
    forget_borrower(clone_folder(data, board.repo), tree.directory);
    forget_index(clone_folder(data, board.repo), tree.directory);
  }
  auto const clone = open_clone(clone_directory, use);
  if (clone && !tree.branch.empty() && is_with_branch)
    clone->git.attempt(
        {"branch", "--quiet", "-D", branch_of_task(tree.directory, tree.branch, board.branch_prefix)});
  return is_gone;
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
  look_at(tree, board, data, repository_of(board, data, use), facts->empty() ? nullptr : &facts->front());
  tree.state = tree.dirty || tree.unlanded > 0 ? WorkState::kept : WorkState::landed;
  return tree;
}

}  // namespace andon::runner
