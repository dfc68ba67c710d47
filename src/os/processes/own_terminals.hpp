#pragma once

#include <array>
#include <optional>

namespace andon::os {

// Terminals of a program's own. A program that makes a pseudo terminal opens /dev/ptmx and then a file in
// /dev/pts. That directory holds all terminals of the user, and Landlock does not tell them apart. So a child
// enters a mount namespace with an empty /dev/pts, and only that one is allowed to it.
//
// A mount needs rights that only root has, or the owner of a user namespace. So another user's child enters
// one of those first. Its user and group have the numbers they had, and all others are seen as `nobody`.

/// The input for `enter_own_terminals`, made before the fork, because the child may not allocate.
class OwnTerminals {
 public:
  /// Of this process's user and group.
  OwnTerminals();

  /// Gives the calling process, a child before its exec, terminals of its own, and allows them in the
  /// ruleset if there is one. Makes only raw system calls. Returns an error number, or zero. After an error
  /// the process must end, except when `has_begun` remains false: it is then as before.
  int enter(int ruleset, bool& has_begun) const;

 private:
  int enter_user_namespace() const;

  bool is_root_ = false;
  std::array<char, 64> user_{};   ///< a line of /proc/PID/uid_map
  std::array<char, 64> group_{};  ///< a line of /proc/PID/gid_map
};

/// True when the kernel gives terminals of their own to the programs of this user. Tried once, in a child.
bool can_have_own_terminals();

}  // namespace andon::os
