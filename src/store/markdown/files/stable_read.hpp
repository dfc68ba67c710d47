#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "os/processes/clock.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/files/git_state.hpp"

namespace andon::store::markdown {

/// Waits until the files of a board may be taken for one state of the board. Some programs remove a file
/// before they put it back, or empty it before they fill it. Some write a task before the task it depends on.
/// So read files count only when git was idle meanwhile and no file has been missing for a short time only.
/// The wait is bounded, because a lock of git may have been left behind.
class StableRead {
 public:
  /// The folder and the clock are not owned.
  StableRead(BoardFolder const& folder, os::Clock const& clock);

  /// Call before looking at the files.
  void begin();
  /// Whether the files, which were read since `begin`, are one state. `missed` is the last change that
  /// concerns a missing file, in nanoseconds since 1970.
  bool is_reached(std::optional<std::int64_t> missed) const;
  /// Waits a short time; false when the wait has reached its limit. Throws StoreError{unreachable} when git
  /// changed files the whole time.
  bool wait() const;

 private:
  using Steady = os::SteadyClock;

  bool is_git_working() const;

  BoardFolder const& folder_;
  os::Clock const& clock_;
  Steady::time_point const until_;
  std::optional<GitState> before_;
};

/// Waits while git works and the directory is missing from the board. git may end in the middle of a checkout
/// when another program creates a directory that git is about to create.
void wait_for_directory(BoardFolder const& folder, os::Clock const& clock, std::filesystem::path const& name);

}  // namespace andon::store::markdown
