#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "os/files/descriptor.hpp"

namespace andon::os {

/// What a program and all that it starts may do with the files of this machine, held by the kernel (Landlock,
/// Linux 5.13 and newer): nothing of what is closed but where it is allowed. Paths are taken as they are when
/// they are allowed; a link that is made later leads nowhere. To be given to `Command::confinement`.
class Confinement {
 public:
  enum class Closed {
    changes,    ///< writing, making and removing files, and executing them; reading stays open
    everything  ///< reading too, and signals to processes outside
  };
  /// Nothing where the kernel offers none.
  static std::optional<Confinement> make(Closed closed);

  /// A path that is not there is passed over.
  void allow_reading(std::filesystem::path const& path);    ///< and executing
  void allow_changes(std::filesystem::path const& path);    ///< and reading and executing
  void allow_executing(std::filesystem::path const& path);  ///< and nothing else
  /// As if a program had opened it already.
  void allow_changes(Descriptor const& directory);

  int handle() const { return ruleset_.get(); }

 private:
  Confinement(Descriptor ruleset, std::uint64_t closed) : ruleset_(std::move(ruleset)), closed_(closed) {}
  void allow(std::filesystem::path const& path, std::uint64_t rights);
  void allow(int file, std::uint64_t rights);

  Descriptor ruleset_;
  std::uint64_t closed_;
};

/// The version of Landlock that the kernel offers; 0 for none. From 6 on it holds signals back too.
int confinement_version();

}  // namespace andon::os
