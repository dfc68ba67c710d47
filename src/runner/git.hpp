#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.hpp"
#include "runner/agent_environment.hpp"

namespace andon::runner {

/// What a git command said before it ended.
struct GitAnswer {
  bool good = false;
  std::string out;        ///< standard output
  std::string complaint;  ///< standard error, or why it could not be run
  bool too_long = false;  ///< it was ended at its time limit
};

/// Runs git in a directory of somebody else's making. A repository is not trusted: nothing it configures is
/// executed (hooks, file system monitors, filters, external diffs, merge drivers, signing, helpers), nothing
/// is asked for, nothing is fetched, and time and output are bounded. To be made anew for every piece of
/// work: what the repository configures is looked up once.
class Git {
 public:
  /// Asks for changes beside those of nested repositories: git would run another one in each of them, with
  /// that one's settings.
  static constexpr char kNotNested[] = "--ignore-submodules=all";

  /// `marks` are variables by which its processes can be told.
  explicit Git(std::filesystem::path directory, Environment marks = {});

  GitAnswer run(std::vector<std::string> const& arguments, Environment more = {}) const;
  /// Its output without the last line end; nothing when it failed.
  std::optional<std::string> text(std::vector<std::string> const& arguments) const;
  /// Its output cut at the separator; empty when it failed.
  std::vector<std::string> list(std::vector<std::string> const& arguments, char separator = '\n') const;
  bool succeeds(std::vector<std::string> const& arguments) const { return run(arguments).good; }

  std::filesystem::path const& directory() const { return directory_; }
  Environment const& marks() const { return marks_; }

 private:
  std::filesystem::path directory_;
  Environment marks_;
  Environment settings_;
};

}  // namespace andon::runner
