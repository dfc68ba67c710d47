#pragma once

#include <optional>
#include <string>

#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// Why a default branch cannot be moved forward now, though nothing is wrong with the work: where it is
/// checked out there are changes that nobody may touch. Nothing when it can.
std::optional<std::string> obstacle(Repository const& repository);

/// Moves the default branch forward to a commit that contains it, with the files where it is checked out.
/// Changes nothing and says why when it cannot.
std::optional<std::string> advance(Repository const& repository, std::string const& commit);

/// Completes a move that a power cut stopped after the files and before the branch. False when that is not
/// what happened.
bool complete_advance(Repository const& repository, std::string const& commit);

}  // namespace andon::runner
