#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/work_place.hpp"
#include "core/time/time.hpp"
#include "os/system_error.hpp"
#include "runner/git/held_filters.hpp"
#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {

/// The result of a git command. A failed one is never without a complaint.
struct [[nodiscard]] GitAnswer {
  bool good = false;
  std::string out;              ///< standard output
  std::string complaint;        ///< standard error, or why git could not run
  bool too_long = false;        ///< git was ended at its time limit
  bool cut = false;             ///< it printed more than is kept
  std::optional<int> signal{};  ///< that ended git
};

/// A question to git that has no answer: the command failed, or printed more than Andon reads.
class GitFailure : public os::SystemError {
 public:
  explicit GitFailure(std::string const& sentence) : SystemError(sentence) {}
};

/// The conditions under which git runs.
struct GitUse {
  Environment marks{};            ///< variables that mark its processes
  core::Duration limit{120'000};  ///< of each call; after a call exceeds it, all further calls fail
  int stop = -1;                  ///< a descriptor that becomes readable when calls must end at once
  /// The objects of Andon's clone, for a repository of a run, which borrows them. It is then the only place
  /// outside that git reads.
  std::filesystem::path lender{};
  /// Andon's folder with the outlying parts of repositories, for one that agents may share with a person. Git
  /// reads only those that it had at first, see `keep_outlying`. Without it and without a lender, git reads
  /// the places that the repository names.
  std::filesystem::path records{};
  std::int64_t file_bytes = 0;  ///< the size of each file that a call writes; 0 for no limit
  HeldFilters filters{};        ///< those that git runs, see `Git::with_filters`
};

/// Runs git in an untrusted directory. Before each call, repository and work tree must be the recorded
/// directories, and git gets their paths. It executes nothing that is configured there: hooks, file system
/// monitors, filters, external diffs, merge drivers, signing, helpers. It honours only settings that are
/// known to be harmless, read anew for each call. It never prompts or fetches, and its time and output are
/// bounded. If the kernel can confine it, git reads and changes only its three directories, reads the
/// lender or the repository's outlying parts and the system's libraries, and starts no other program than
/// those of `GitUse::filters`, which have no other rights.
class Git {
 public:
  /// Ignores nested repositories. Git would otherwise run in each of them, with their settings.
  static constexpr char kNotNested[] = "--ignore-submodules=all";

  explicit Git(core::WorkPlace place, GitUse use = {});

  /// `input` is the standard input, as an open file; none when negative.
  GitAnswer run(std::vector<std::string> const& arguments, Environment more = {}, int input = -1) const;
  /// The output without the last line end; nothing when the command failed.
  [[nodiscard]] std::optional<std::string> text(std::vector<std::string> const& arguments) const;
  /// The output split at the separator. Throws `GitFailure` when it is not known: a list that nobody could
  /// read is no empty list.
  [[nodiscard]] std::vector<std::string> list(std::vector<std::string> const& arguments,
                                              char separator = '\n') const;
  /// True if git ends with 0. A failed command is a no too, so the caller must be careful on a no.
  [[nodiscard]] bool succeeds(std::vector<std::string> const& arguments) const { return run(arguments).good; }

  /// Makes a change that must happen. Throws `GitFailure` when it does not.
  void carry_out(std::vector<std::string> const& arguments, Environment more = {}, int input = -1) const;
  /// Makes a change without which everything stays correct. A failure is written to the log.
  void attempt(std::vector<std::string> const& arguments) const;

  /// This repository, for commands that also change another directory.
  Git changing(std::filesystem::path directory) const;
  /// This repository, for commands that put new objects into that directory instead of its own, and may
  /// change the directory around it.
  Git adding_objects_to(std::filesystem::path objects) const;

  /// This repository over the files of another work tree, with an index of its own in a folder that git may
  /// change. Nothing in the git directory of that work tree is read.
  Git over(core::WorkPlace const& tree, std::filesystem::path index) const;

  /// This repository as one that nobody but Andon writes: its settings are used without a look.
  Git as_own() const;

  /// This repository, for commands that read or write files as these filters have them. Git may then start
  /// the programs of the system and of the filters.
  Git with_filters(HeldFilters filters) const;

  core::WorkPlace const& place() const { return place_; }
  GitUse const& use() const { return use_; }

 private:
  core::WorkPlace place_;
  GitUse use_;
  std::filesystem::path also_changed_;
  std::filesystem::path new_objects_;
  std::filesystem::path index_;
  bool is_own_ = false;
  std::shared_ptr<bool> gave_up_ = std::make_shared<bool>(false);  ///< shared by all copies
};

/// Git in a directory that is the top of a work tree, or the reason why it is none.
std::expected<Git, std::string> open_git(std::filesystem::path const& top, GitUse use = {});

}  // namespace andon::runner
