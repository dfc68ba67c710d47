#pragma once

#include <string>
#include <vector>

namespace andon::runner {

/// The environment of every git: no settings of the system or of a person, no questions, and only these
/// protocols, such as `none` or `https:ssh`.
std::vector<std::string> git_environment(std::string const& protocols);

/// The PATH on which git and its helpers are found.
std::string const& search_path_of_git();

}  // namespace andon::runner
