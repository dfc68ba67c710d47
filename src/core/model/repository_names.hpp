#pragma once

#include <string>
#include <string_view>
#include <vector>

// The settings of a board that name parts of its repository. Each function returns what is wrong, as a
// sentence that says what to do, and nothing for a fit text.

namespace andon::core {

/// The branch of a board, by the rules of `git check-ref-format --branch`; empty for the repository's own.
std::string fault_of_branch(std::string_view branch);

/// The part before `/42-fix-the-cart` in the branches of tasks: components of a branch name.
std::string fault_of_branch_prefix(std::string_view prefix);

/// Why work cannot be on branches of this prefix while it lands on this branch.
std::string fault_of_branches(std::string_view branch, std::string_view prefix);

/// The folder of the repository in which agents work; empty for all of it.
std::string fault_of_folder(std::string_view folder);

/// The filters of git, such as `lfs`, that Andon may run.
std::string fault_of_filters(std::vector<std::string> const& filters);

}  // namespace andon::core
