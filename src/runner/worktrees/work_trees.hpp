#pragma once

#include <string>
#include <vector>

#include "os/data/data_directory.hpp"
#include "runner/operation_client.hpp"
#include "runner/worktrees/git.hpp"
#include "service/runs/work.hpp"

namespace andon::runner {

/// Finds the work trees of boards on the disk, with what git and the board know of them.
std::vector<service::WorkTree> find_work_trees(OperationClient& client, os::DataDirectory const& data,
                                               std::vector<core::Board> const& boards,
                                               GitUse const& use = {});

/// Why a work tree may not be removed: it is in use, or it holds something that is found nowhere else. Empty
/// when it may. With force only an agent at work keeps it.
std::string why_kept(service::WorkTree const& tree, bool force);

/// Removes a work tree, and its branch when that holds nothing of its own or `with_branch` says so. False
/// when something of it is left.
bool remove_work_tree(core::Board const& board, service::WorkTree const& tree, bool with_branch,
                      GitUse const& use = {});

/// Removes the work tree of a task whose work has just landed, unless it holds changes.
void remove_landed_tree(OperationClient& client, os::DataDirectory const& data, core::Board const& board,
                        core::Task const& task, GitUse const& use = {});

}  // namespace andon::runner
