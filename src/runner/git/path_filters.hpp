#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "os/files/descriptor.hpp"
#include "runner/git/git.hpp"

namespace andon::runner {

// A path may have a filter (gitattributes(5), `filter`): a program that changes the content on the way into a
// commit, such as git-crypt or git-lfs. Without its program, git stores the content as it is.

/// The filter of each path that has one.
using PathFilters = std::map<std::string, std::string>;

/// The filters that the attribute files in the work tree name. Git may write in `scratch`. Throws
/// `GitFailure`.
PathFilters filters_on_disk(Git const& git, std::filesystem::path const& scratch,
                            std::vector<std::string> const& paths);
/// The filters that the attribute files of a commit name.
PathFilters filters_in_commit(Git const& git, std::filesystem::path const& scratch, std::string const& commit,
                              std::vector<std::string> const& paths);

/// Parses what `git check-attr -z filter` prints.
PathFilters parse_filters(std::string_view printed);

/// A file whose content is the given paths, each ended by a zero byte, for git to read.
os::Descriptor input_of(std::filesystem::path const& file, std::vector<std::string> const& paths);

}  // namespace andon::runner
