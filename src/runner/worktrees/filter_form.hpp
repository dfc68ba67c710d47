#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "runner/git/path_filters.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {

// A commit has a file as its filter makes it, or as an agent put it there without the filter. The content
// tells which: `clean(smudge(content))` is the content again only where the filter made it.

/// A content that a file has in a commit.
struct CommittedFile {
  std::string path;
  std::string object;
  bool is_regular = true;  ///< git filters no other ones, such as links
  auto operator<=>(CommittedFile const&) const = default;
};

/// The files in a commit, without submodules.
std::set<CommittedFile> files_in_commit(Git const& clone, std::string const& commit);

/// The files of the commits after `base`, up to `head`, with each content that differs from that of `base`.
/// Contents of commits that a later one replaced are among them, because they leave here too. None without a
/// base.
std::set<CommittedFile> files_of_commits(Git const& clone, std::string const& base, std::string const& head);

/// The paths of the regular files whose content is not as their filter makes it. Only filters of `held` are
/// judged. Git works in a new folder in `scratch`, where no attribute of the work counts.
std::set<std::string> files_without_form(Git const& clone, std::filesystem::path const& scratch,
                                         std::set<CommittedFile> const& files, PathFilters const& filters,
                                         HeldFilters const& held);

/// The files of the commits after `base`, up to `head`, that may have what a filter hides: their filter is
/// none of `held`, or their content is not as it makes it. Each with the name of its filter. Git works in a
/// new directory in `folder`.
std::vector<std::string> unfiltered_files(Git const& clone, std::filesystem::path const& folder,
                                          std::string const& base, std::string const& head,
                                          HeldFilters const& held);

}  // namespace andon::runner
