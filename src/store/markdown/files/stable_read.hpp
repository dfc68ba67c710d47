#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "os/processes/clock.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/files/git_state.hpp"

namespace andon::store::markdown {

/// Waits until the files of a board may be taken for one state of it. Other programs than git take a file
/// away before they put it back, empty it before they fill it, or bring a task before the one it waits for.
/// So files that were read count when git was idle meanwhile, and what is missed was missed for a moment. The
/// wait is bounded: a lock of git may have been left behind.
class StableRead {
 public:
  /// The folder and the clock are not owned.
  StableRead(BoardFolder const& folder, os::Clock const& clock);

  /// Before the files are looked at.
  void begin();
  /// After they were read; `missed` is when one that is missed was last changed, nanoseconds since 1970.
  bool is_reached(std::optional<std::int64_t> missed) const;
  /// Waits a moment; false when it has waited for long enough. Throws StoreError{unreachable} when git has
  /// changed files all the while.
  bool wait() const;

 private:
  using Steady = os::SteadyClock;

  bool is_git_working() const;

  BoardFolder const& folder_;
  os::Clock const& clock_;
  Steady::time_point const until_;
  std::optional<GitState> before_;
};

/// Waits while git works and the directory is missing from the board: git ends in the middle of a checkout
/// when somebody else makes a directory that it is about to make.
void wait_for_directory(BoardFolder const& folder, os::Clock const& clock, std::filesystem::path const& name);

}  // namespace andon::store::markdown
