#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runner/git/git.hpp"

namespace andon::runner {

/// The object of each ref, by full name.
using Refs = std::map<std::string, std::string>;

/// The refs of a repository that follow its origin: below `refs/remotes/origin`, tags, and these
/// branches.
Refs followed_refs(Git const& git, std::vector<std::string> const& branches);

/// Makes those refs what they should be. Leaves all others alone. `scratch` is a file for the changes. The
/// complaint of git when it cannot; empty otherwise.
std::string follow_refs(Git const& git, std::vector<std::string> const& branches, Refs const& wanted,
                        std::filesystem::path const& scratch);

}  // namespace andon::runner
