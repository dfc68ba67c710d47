#pragma once

#include <filesystem>

namespace andon::runner {

/// The directories of one clone. No sandbox opens them for writing.
struct ClonePlace {
  std::filesystem::path folder;

  std::filesystem::path repo() const { return folder / "repo"; }
  /// Git's directory for the commands that talk to a remote.
  std::filesystem::path remote() const { return folder / "remote"; }
  std::filesystem::path git() const { return repo() / ".git"; }
  std::filesystem::path objects() const { return git() / "objects"; }
};

}  // namespace andon::runner
