#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// A `Confinement` as a `Command` has it.
struct ConfinementHandle {
  int ruleset = -1;                ///< negative: none
  bool has_own_terminals = false;  ///< see `OwnTerminals`
  bool has_held_ports = false;     ///< sockets that would evade the rules of ports are refused
  bool takes_capabilities = false;
};

/// The file rights of a program and of all programs that it starts, enforced by the kernel (Landlock, Linux
/// 5.13 and newer). The program may do nothing of what `Closed` lists, except beneath allowed paths. Each
/// path is resolved when it is allowed, so a link that is made later grants nothing. Pass the object to
/// `Command::confinement`.
class Confinement {
 public:
  enum class Closed {
    changes,    ///< writing, making and removing files, and executing them; reading stays open
    everything  ///< reading too, and signals to processes outside
  };
  /// `closed` allows no TCP, where the kernel can forbid that (Landlock 4 and newer).
  enum class Network { open, closed };
  /// On the TCP ports `held` the program cannot listen, where the kernel can forbid that (Landlock 4 and
  /// newer); every other port stays open. Returns nothing when the kernel does not offer Landlock.
  static std::optional<Confinement> make(Closed closed, Network network = Network::open,
                                         std::vector<int> const& held = {});

  /// Each of these ignores a path that does not exist.
  void allow_data(std::filesystem::path const& path);       ///< reading and nothing else
  void allow_reading(std::filesystem::path const& path);    ///< and executing
  void allow_changes(std::filesystem::path const& path);    ///< and reading and executing
  void allow_executing(std::filesystem::path const& path);  ///< and nothing else
  /// Also for a directory that the program itself could not open.
  void allow_changes(Descriptor const& directory);

  /// Gives the program /dev/ptmx and a /dev/pts of its own. False when the kernel refuses; they stay closed
  /// then. For a confinement in which everything is closed.
  bool give_own_terminals();

  /// Takes from the program, and from all that it starts, the capabilities that root has (capabilities(7)).
  /// Root is then a user like others who owns the files of root.
  void take_capabilities() { takes_capabilities_ = true; }

  ConfinementHandle handle() const {
    return {ruleset_.get(), has_own_terminals_, has_held_ports_, takes_capabilities_};
  }

 private:
  Confinement(Descriptor ruleset, std::uint64_t closed) : ruleset_(std::move(ruleset)), closed_(closed) {}
  void allow(std::filesystem::path const& path, std::uint64_t rights);
  void allow(int file, std::uint64_t rights);
  void allow_ports_except(std::vector<int> const& held);

  Descriptor ruleset_;
  std::uint64_t closed_;
  bool has_own_terminals_ = false;
  bool has_held_ports_ = false;
  bool takes_capabilities_ = false;
};

/// The handle of a confinement, or none.
inline ConfinementHandle handle_of(std::optional<Confinement> const& confinement) {
  return confinement ? confinement->handle() : ConfinementHandle{};
}

/// The version of Landlock that the kernel offers; 0 for none. Version 6 and newer also restrict signals.
int confinement_version();

}  // namespace andon::os
