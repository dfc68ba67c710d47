#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/work_place.hpp"
#include "core/time/time.hpp"
#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {

/// What a git command said before it ended.
struct GitAnswer {
  bool good = false;
  std::string out;        ///< standard output
  std::string complaint;  ///< standard error, or why it could not be run
  bool too_long = false;  ///< it was ended at its time limit
};

/// How git is used.
struct GitUse {
  Environment marks{};            ///< variables by which its processes can be told
  core::Duration limit{120'000};  ///< of each call; after one that was ended at it there is no other
  int stop = -1;                  ///< a descriptor that is readable when calls shall end at once
};

/// Runs git in a directory of somebody else's making. Neither the repository nor the work tree is trusted:
/// before each call both must be the directories they were, and git is told where they are; nothing that is
/// configured there is executed (hooks, file system monitors, filters, external diffs, merge drivers,
/// signing, helpers) and only what is known to be harmless is heeded, read anew for each call; nothing is
/// asked for, nothing is fetched, time and output are bounded. Where the kernel can hold it to that, git
/// changes nothing but the three directories and starts no other program.
class Git {
 public:
  /// Asks for changes beside those of nested repositories: git would run another one in each of them, with
  /// that one's settings.
  static constexpr char kNotNested[] = "--ignore-submodules=all";

  explicit Git(core::WorkPlace place, GitUse use = {});

  GitAnswer run(std::vector<std::string> const& arguments, Environment more = {}) const;
  /// Its output without the last line end; nothing when it failed.
  std::optional<std::string> text(std::vector<std::string> const& arguments) const;
  /// Its output cut at the separator; empty when it failed.
  std::vector<std::string> list(std::vector<std::string> const& arguments, char separator = '\n') const;
  bool succeeds(std::vector<std::string> const& arguments) const { return run(arguments).good; }

  /// The same repository, for commands that also change what lies in another directory.
  Git changing(std::filesystem::path directory) const;

  core::WorkPlace const& place() const { return place_; }
  GitUse const& use() const { return use_; }

 private:
  core::WorkPlace place_;
  GitUse use_;
  std::filesystem::path also_changed_;
  std::shared_ptr<bool> gave_up_ = std::make_shared<bool>(false);  ///< for all copies
};

/// Git in a directory that is the top of a work tree, or why it is none.
std::expected<Git, std::string> open_git(std::filesystem::path const& top, GitUse use = {});

}  // namespace andon::runner
