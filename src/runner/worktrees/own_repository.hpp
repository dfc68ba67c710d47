#pragma once

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "core/model/work_place.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

// A task's work tree has a repository of its own: `DIRECTORY/.git` has refs, index, settings and hooks that
// belong to the task alone, and new objects. It borrows the objects of Andon's clone, so that it costs no
// more than its files. Agents may write all of it.

/// The directory, the branch that is checked out, and its commit, which the clone has.
struct OwnRepository {
  std::filesystem::path directory;
  std::string branch;
  std::string commit;
  std::string origin;     ///< the person's repository, by path or URL
  HeldFilters filters{};  ///< with which its files are written
};

/// Makes a work tree with its repository and files. The directory is there when it is whole. A sentence when
/// it cannot be made.
core::Result<core::WorkPlace> make_own_repository(Repository const& clone, OwnRepository const& wanted);

/// Gives a work tree a new repository instead of its `.git`, whatever that is, and changes no file of the
/// work.
core::Result<core::WorkPlace> renew_own_repository(Repository const& clone, OwnRepository const& wanted);

/// Removes what a killed process left beside a work tree.
void remove_unfinished_tree(std::filesystem::path const& directory);

/// Brings the refs of a repository that follow the clone to where they are there, and gives it the filters
/// with which it is used. The complaint of git when
/// it cannot; empty otherwise.
std::string refresh_own_repository(Repository const& clone, Git const& own);

/// True when the directories are those of a repository of its own; false for a linked work tree.
bool is_own_repository(core::WorkPlace const& place);

/// Whether a work tree is the recorded one. Its repository may be another: agents may replace it, and reach
/// nothing by that, and Andon renews it.
bool is_recorded_tree(core::WorkPlace const& recorded, core::WorkPlace const& now);

}  // namespace andon::runner
