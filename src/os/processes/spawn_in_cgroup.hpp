#pragma once

#include <array>
#include <optional>
#include <sys/types.h>

namespace andon::os {

/// What a new process gets, ready for a child that may not allocate any more.
struct ReadyCommand {
  char const* program = nullptr;
  char* const* argv = nullptr;
  char* const* env = nullptr;
  char const* cwd = nullptr;     ///< ours when null
  int cwd_handle = -1;           ///< instead of `cwd`
  std::array<int, 3> streams{};  ///< to become 0, 1 and 2; none of them is one of these
  bool own_session = true;
  int cgroup = -1;
  int confinement = -1;
};

struct Placed {
  pid_t pid = 0;
  int error = 0;  ///< why the program could not be executed
};

/// Starts a program as a member of a cgroup and within a confinement, where these are given, from its first
/// step on: it is never to be seen outside. Nothing where the kernel cannot (before 5.9) or may not (a
/// container's system call filter) do that.
std::optional<Placed> spawn_in_cgroup(ReadyCommand const& command);

}  // namespace andon::os
