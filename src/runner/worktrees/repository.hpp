#pragma once

#include <string>

#include "core/error.hpp"
#include "runner/worktrees/git.hpp"

namespace andon::runner {

/// The repository of a board, looked at once.
struct Repository {
  Git git;
  std::string default_branch;  ///< what the remote calls its own, else `main` or `master`, else what is
                               ///< checked out
  std::string tip;             ///< the commit of that branch
};

/// Refuses, with what to do, a directory that is missing or no repository, and a repository that is bare,
/// damaged, without a commit, or whose work tree is elsewhere.
core::Result<Repository> open_repository(std::filesystem::path const& directory, GitUse use = {});

/// The work tree of this repository at that place; a sentence when what is there is none of its own, whatever
/// the repository says.
std::expected<Git, std::string> open_checkout(Git const& git, std::filesystem::path const& directory);

/// Where that branch is checked out: in the repository itself or in one of its work trees; empty for nowhere.
std::filesystem::path checkout_of(Git const& git, std::string const& branch);

/// Git remembers work trees whose directory somebody removed; this makes it forget those of a folder.
void forget_removed_trees(Git const& git, std::filesystem::path const& folder);

/// Keeps a run's work from being thrown away by git when its branch goes: `refs/andon/runs/ID`.
void keep_run_head(Git const& git, std::int64_t run, std::string const& head);

/// The commit where work and the default branch parted; empty when they have nothing in common.
std::string fork_point(Git const& git, std::string const& tip, std::string const& head);

/// Whether a text is the full name of a commit, and nothing that git would take for an option.
bool is_commit_id(std::string_view text);

/// Whether one commit is another or one of its ancestors.
bool contains(Git const& git, std::string const& descendant, std::string const& ancestor);

}  // namespace andon::runner
