#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/runs/test_names.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// The JUnit files that checks write in a tree. The tree is not trusted: no name leads out of it.
class TestReports {
 public:
  /// In a pattern, `*` stands for any part of a name within its folder.
  TestReports(std::filesystem::path tree, std::vector<std::string> const& patterns)
      : tree_(std::move(tree)), patterns_(patterns) {}

  /// Removes the files that are there, so that the work cannot bring reports of its own.
  void remove() const;
  /// The tests in at most 1,000 files of at most 16 MiB each. Files that cannot be read have none.
  core::TestNames read() const;

 private:
  std::vector<std::filesystem::path> files() const;

  std::filesystem::path tree_;
  std::vector<std::string> const& patterns_;
};

/// The command that lists tests, with its output in a file of `TMPDIR`, since a check keeps only its end.
CheckSpec listing_of(core::Command const& command);
/// The tests in that file. `tree` is the directory in which the command ran.
core::TestNames read_listing(std::filesystem::path const& temporary, std::filesystem::path const& tree);

}  // namespace andon::runner
