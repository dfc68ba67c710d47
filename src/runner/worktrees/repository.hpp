#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "runner/git/questions.hpp"

namespace andon::runner {

/// The repository of a board at one moment.
struct Repository {
  Git git;
  /// At which work begins and on which it lands: the board's, else that of a linked work tree, else the
  /// remote's default, else `main` or `master`, else the one that is checked out.
  std::string default_branch;
  std::string tip;  ///< the commit of that branch
};

/// Opens a repository. Refuses a missing directory, one without a repository, and a repository that is bare,
/// damaged, without a commit or with its files elsewhere. The refusal says what to do. `branch` is the
/// board's; empty for the repository's own.
core::Result<Repository> open_repository(std::filesystem::path const& directory, GitUse use = {},
                                         std::string const& branch = {});

/// Opens Andon's clone of a repository. `use` counts without its lender. `branch` is the board's; empty for
/// the default branch of the origin.
core::Result<Repository> open_clone(std::filesystem::path const& directory, GitUse use = {},
                                    std::string const& branch = {});

/// The branch that a repository calls its own: the remote's default, else `main` or `master`, else the branch
/// that is checked out. Empty without one.
std::string own_branch_of(Git const& git);

/// Why git cannot make branches below a prefix: a branch in that folder of refs has its name, or that of a
/// part of it. Empty when it can.
std::string why_no_branches(Git const& git, std::string const& folder, std::string const& prefix);

/// The refusal of a board's branch that a repository does not have, with some that it has.
core::Error no_such_branch(std::string const& repository, std::string const& branch,
                           std::vector<std::string> const& there);

/// The work tree of this repository at that place. A sentence if the directory there is not one of its work
/// trees, whatever its files claim.
std::expected<Git, std::string> open_checkout(Git const& git, std::filesystem::path const& directory);

/// The first 20 file names for a sentence, and how many more there are.
std::string shown_names(std::vector<std::string> const& files);

/// The place where a branch is checked out: the repository itself, one of its work trees, or empty for none.
/// A sentence when git cannot say: a branch with a checkout must not move without its files.
std::expected<std::filesystem::path, std::string> checkout_of(Git const& git, std::string const& branch);

/// Removes git's records of work trees in a folder whose directories were deleted.
void forget_removed_trees(Git const& git, std::filesystem::path const& folder);

/// Protects a run's work from git's garbage collection after its branch is deleted: `refs/andon/runs/ID`.
void keep_run_head(Git const& git, core::RunId run, std::string const& head);

}  // namespace andon::runner
