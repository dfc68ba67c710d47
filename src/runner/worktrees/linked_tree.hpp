#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "core/model/work_place.hpp"
#include "runner/git/git.hpp"

namespace andon::runner {

// Earlier versions gave a task a linked work tree (git-worktree(1)): of the person's repository when the
// board has a path, of Andon's clone when it has a URL.

/// The repository to which the linked work trees of a board belong.
std::expected<Git, std::string> open_owner(std::string const& origin, std::filesystem::path const& clone,
                                           GitUse const& use);

/// Whether the directories are those of a linked work tree of that repository.
bool is_linked_tree_of(Git const& origin, core::WorkPlace const& place);

/// The directory in git's record of a linked work tree that holds the repositories of its submodules; empty
/// when there are none.
std::filesystem::path submodules_of_linked_tree(core::WorkPlace const& place);

/// Removes git's record of a linked work tree, and its branch if that is at the commit.
void forget_linked_tree(Git const& origin, core::WorkPlace const& place, std::string const& branch,
                        std::string const& commit);

}  // namespace andon::runner
