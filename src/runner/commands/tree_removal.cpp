#include "runner/commands/tree_removal.hpp"

#include "os/processes/log.hpp"
#include "runner/git/work_place.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/work_trees.hpp"

namespace andon::runner {

/// The reason why the teardown failed; empty when it ended well. A directory that is no work tree of the
/// repository any more has none.
std::string TreeRemoval::tear_down(core::Board const& board, service::WorkTree const& tree) const {
  if (board.teardown.empty()) return {};
  auto const checkout = open_work_tree(tree.directory, board, place_.data, use_);
  if (!checkout) return {};
  // The work may have removed the folder.
  bool const has_folder = enter_folder(checkout->place(), board.folder).has_value();
  for (auto const& command : board.teardown) {
    auto const result = run_in_tree({.board = board,
                                     .task = tree.task,
                                     .place = checkout->place(),
                                     .command = {command.front(), command},
                                     .limit = board.setup_timeout,
                                     .folder = has_folder ? board.folder : std::string{},
                                     .purpose = "teardown"},
                                    place_, should_stop_);
    if (!result.passed) return "its teardown \"" + command.front() + "\" failed: " + result.output;
  }
  return {};
}

std::string TreeRemoval::remove(core::Board const& board, service::WorkTree const& tree, bool force) const {
  auto failed = tear_down(board, tree);
  if (!failed.empty() && !force) return failed;
  if (!remove_work_tree(place_.data, board, tree, force, use_))
    return "some of its files could not be removed";
  remove_tree_record(tree_records(place_.data), tree.directory);
  return {};
}

void TreeRemoval::remove_landed(OperationClient& client, core::Board const& board,
                                core::Task const& task) const {
  auto const tree = landed_tree(client, place_.data, board, task, use_);
  if (!tree || !why_kept(*tree, false).empty()) return;
  if (auto const why = remove(board, *tree, false); !why.empty())
    os::log(os::Level::warning, "the work tree of #" + std::to_string(task.id) + " stays: " + why);
}

}  // namespace andon::runner
