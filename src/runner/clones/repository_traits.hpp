#pragma once

#include <vector>

#include "runner/worktrees/repository.hpp"
#include "service/boards/examined_repository.hpp"

namespace andon::runner {

using RepositoryFindings = std::vector<service::RepositoryFinding>;

/// The traits of what is committed: attributes, submodules, size.
RepositoryFindings traits_of_content(Repository const& repository);

/// The traits of a person's repository: what is checked out in it, its history, settings and hooks.
RepositoryFindings traits_of_place(Repository const& repository);

}  // namespace andon::runner
