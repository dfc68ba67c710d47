#pragma once

#include <string>
#include <string_view>

#include "runner/git/git.hpp"

namespace andon::runner {

/// True if the repository has this commit, or a branch of this name.
bool has_commit(Git const& git, std::string const& id);
bool has_branch(Git const& git, std::string const& name);

/// The beginning of a message of git, as UTF-8 for a sentence.
std::string shown_reason(std::string const& why);

/// The last common commit of the work and the default branch; empty without one.
std::string fork_point(Git const& git, std::string const& tip, std::string const& head);

/// True for a full commit id. Git takes no such text for an option.
bool is_commit_id(std::string_view text);

/// Whether `ancestor` is `descendant` or one of its ancestors.
bool contains(Git const& git, std::string const& descendant, std::string const& ancestor);

}  // namespace andon::runner
