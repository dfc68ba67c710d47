#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "runner/git/git.hpp"

namespace andon::runner {

/// One file in two commits. A file that is not there has mode 0.
struct FileChange {
  std::string modes;   ///< both, as octal numbers
  std::string before;  ///< the object; for a submodule its commit
  std::string after;
  bool operator==(FileChange const&) const = default;

  bool is_submodule() const { return modes.ends_with(" 160000"); }
  bool is_removal() const { return modes.ends_with(" 000000"); }
};
/// The changed files by name.
using FileChanges = std::map<std::string, FileChange>;

/// The files that differ between two commits. None when one of them is empty.
FileChanges changes_between(Git const& git, std::string const& base, std::string const& head);

/// The traces of a run in a directory that it shares with others, who may have made them. Empty without a
/// repository or git.
struct Evidence {
  std::string branch;
  std::vector<std::string> commits;           ///< made since the run began, oldest first, at most 100
  std::string head;                           ///< the current commit
  int files_changed = 0;                      ///< by these commits and by uncommitted changes
  std::optional<core::DiffSize> diff_size{};  ///< of these commits
};

/// The repository that contains a directory; nothing without one.
std::optional<core::WorkPlace> place_around(std::filesystem::path const& directory);

/// The current commit; empty without one, or when the place was replaced.
std::string head_commit(core::WorkPlace const& place, GitUse const& use = {});
/// The branch that is checked out; empty for none.
std::string checked_out_branch(Git const& tree);
/// The uncommitted files, each with a mark of its content. Untracked files count only in `directory`, which
/// lies in the place.
std::vector<std::string> uncommitted(core::WorkPlace const& place, std::filesystem::path const& directory,
                                     GitUse const& use = {});

/// Collects the changes since the given commit and uncommitted files. Commits without any difference are
/// none.
Evidence collect_evidence(core::WorkPlace const& place, std::filesystem::path const& directory,
                          std::string const& head_before, std::vector<std::string> const& left_before = {},
                          GitUse const& use = {});

}  // namespace andon::runner
