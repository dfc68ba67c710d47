#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Variables in the order of their names, each once.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// What an agent gets: the usual few of ours (an allow-list), those the profile asks for, the profile's own,
/// and ours last, so that a profile cannot replace them. `own` is `NAME=value`; the directory of `andon`
/// comes first on PATH.
std::vector<std::string> agent_environment(Profile const& profile, std::span<std::string const> own,
                                           Environment const& from_profile, Environment const& from_run,
                                           std::string const& andon_directory);

}  // namespace andon::runner
