#pragma once

#include <optional>
#include <string>

#include "runner/worktrees/repository.hpp"

namespace andon::runner {

/// Why the default branch cannot be moved now, although the work is fine: its checkout has changes that must
/// not be touched. Nothing when it can be moved. Files are compared as the filters make them; those with
/// another filter cannot be compared, and are no changes.
std::optional<std::string> obstacle(Repository const& repository, HeldFilters const& filters = {});

/// Moves the default branch forward to a commit that contains it, and updates the files of its checkout.
/// Otherwise changes nothing and returns the reason.
std::optional<std::string> advance(Repository const& repository, std::string const& commit,
                                   HeldFilters const& filters = {});

/// Completes a move that a power cut interrupted between the files and the branch. False when no such move is
/// found.
bool complete_advance(Repository const& repository, std::string const& commit,
                      HeldFilters const& filters = {});

}  // namespace andon::runner
