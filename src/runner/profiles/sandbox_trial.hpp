#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// One thing that agents do, tried in the sandbox of a profile.
struct SandboxTrial {
  std::string name;  ///< `shell`, `terminal`, `commit`, `network`
  bool ok = false;
  std::string said;  ///< the last words of a program that was refused
  std::string hint;  ///< the setting that would allow it
};
void describe(auto& field, SandboxTrial const*) {
  field(&SandboxTrial::name, "name");
  field(&SandboxTrial::ok, "ok");
  field(&SandboxTrial::said, "said");
  field(&SandboxTrial::hint, "hint");
}

struct SandboxTrialPlace {
  std::filesystem::path program;          ///< the agent's; it is not started
  std::filesystem::path andon_directory;  ///< the directory of `andon`
  std::filesystem::path data;
};

/// Tries a shell, a terminal, a commit in an empty repository, and a connection to a port of this machine, as
/// an agent of the profile would. `own` has `NAME=value`. Each takes at most a few seconds.
std::vector<SandboxTrial> try_sandbox(Profile const& profile, SandboxTrialPlace const& place,
                                      std::span<std::string const> own);

}  // namespace andon::runner
