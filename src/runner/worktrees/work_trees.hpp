#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "os/data/data_directory.hpp"
#include "runner/git/git.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {

/// Finds the work trees of boards on the disk, with facts from git and from the board. Fails when the board
/// does not answer: a tree without facts would count as that of no task.
core::Result<std::vector<service::WorkTree>> find_work_trees(OperationClient& client,
                                                             os::DataDirectory const& data,
                                                             std::vector<core::Board> const& boards,
                                                             GitUse const& use = {});

/// Why a work tree may not be removed: it is in use, or it contains unique work. Empty when it may be
/// removed. With `force`, only a working agent prevents the removal.
std::string why_kept(service::WorkTree const& tree, bool force);

/// The git of a task's work tree: a repository of its own that borrows from the clone, or a linked work tree
/// of the board's repository, as earlier versions made it. A sentence when the directory is neither.
std::expected<Git, std::string> open_work_tree(std::filesystem::path const& directory,
                                               core::Board const& board, os::DataDirectory const& data,
                                               GitUse const& use);

/// Removes a work tree. Removes its branch from the clone too if the branch has no unique work or
/// `with_branch` is set. False when some of it remains.
bool remove_work_tree(os::DataDirectory const& data, core::Board const& board, service::WorkTree const& tree,
                      bool with_branch, GitUse const& use = {});

/// The work tree of a task whose work has just landed; nothing when there is none, or the board does not
/// answer.
std::optional<service::WorkTree> landed_tree(OperationClient& client, os::DataDirectory const& data,
                                             core::Board const& board, core::Task const& task,
                                             GitUse const& use = {});

}  // namespace andon::runner
