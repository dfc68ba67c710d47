#pragma once

#include <array>
#include <optional>
#include <sys/types.h>

#include "os/processes/own_terminals.hpp"

namespace andon::os {

/// A `Command` in a form that a child can use that may not allocate.
struct ReadyCommand {
  char const* program = nullptr;
  char* const* argv = nullptr;
  char* const* env = nullptr;
  char const* cwd = nullptr;     ///< null: the directory of this process
  int cwd_handle = -1;           ///< instead of `cwd`
  std::array<int, 3> streams{};  ///< the sources of 0, 1 and 2; each is itself above 2
  bool own_session = true;
  int cgroup = -1;
  int ruleset = -1;                         ///< of a confinement
  bool has_held_ports = false;              ///< in that confinement
  bool takes_capabilities = false;          ///< in that confinement
  OwnTerminals const* terminals = nullptr;  ///< for that confinement
};

struct Placed {
  pid_t pid = 0;
  int error = 0;  ///< why the program could not be executed
};

/// Starts a program inside a cgroup and a confinement, if given, so that it never runs outside them. Returns
/// nothing if the kernel cannot do that (before 5.9) or may not (a container's system call filter).
std::optional<Placed> spawn_in_cgroup(ReadyCommand const& command);

}  // namespace andon::os
