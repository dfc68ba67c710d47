#pragma once

#include <filesystem>
#include <string>

#include "runner/runs/tree_setup.hpp"

namespace andon::runner {

/// The set-up and the content of its key files in the tree, as a hash. Throws a `SystemError` when a file
/// cannot be read.
std::string setup_fingerprint(TreeSetup const& setup, std::filesystem::path const& tree);

/// The results of set-ups of one board, by fingerprint. Only trees without any work of an agent fill it, so
/// that nothing an agent made reaches the tree of another task.
class SetupCache {
 public:
  /// The setup is not owned.
  explicit SetupCache(TreeSetup const& setup) : setup_(setup) {}

  bool has(std::string const& fingerprint) const;
  /// Copies what was kept into the tree. False when there is nothing.
  bool restore(std::string const& fingerprint, std::filesystem::path const& tree) const;
  /// Keeps the results in the tree. On failure it keeps nothing; the next set-up runs again.
  void keep(std::string const& fingerprint, std::filesystem::path const& tree) const;
  /// True when the tree has all directories that a set-up makes.
  bool is_complete(std::filesystem::path const& tree) const;

 private:
  void remove_old() const;

  TreeSetup const& setup_;
};

}  // namespace andon::runner
