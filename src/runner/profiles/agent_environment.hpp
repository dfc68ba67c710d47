#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Variables sorted by name, without duplicates.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// An agent's environment. It has an allow-list of the server's variables, those that the profile requests,
/// the profile's own, and Andon's own last, so that a profile cannot replace them. `own` has `NAME=value`;
/// the directory of `andon` comes first on PATH.
std::vector<std::string> agent_environment(Profile const& profile, std::span<std::string const> own,
                                           Environment const& from_profile, Environment const& from_run,
                                           std::string const& andon_directory);

/// The variables of a board's `env`: those with a value, and those of the server that it passes on. A
/// variable that the server does not have is left out.
Environment board_environment(std::vector<std::string> const& variables, std::span<std::string const> own);

}  // namespace andon::runner
