#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {

/// How git signs in at remotes: only for the length of one command. Nothing of it is ever written down.
struct RemoteAccess {
  std::vector<std::string> arguments;  ///< of git, before its command
  Environment environment;
};

/// The access that `DATA/git` gives: `credentials` in the format of git's `store`, `ssh_key` and
/// `known_hosts`. Each may be missing. Refuses files that other users can read.
core::Result<RemoteAccess> remote_access(std::filesystem::path const& data);

}  // namespace andon::runner
