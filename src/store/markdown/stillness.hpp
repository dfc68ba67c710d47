#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "os/clock.hpp"
#include "store/markdown/board_folder.hpp"

namespace andon::store::markdown {

/// When the files of a board may be taken for one state of it. git changes them one after the other: it holds
/// `index.lock` meanwhile, and puts the new index in place when it has. Other programs take a file away
/// before they put it back, empty it before they fill it, or bring a task before the one it waits for. So
/// files that were read count when git was idle from before the first to after the last, and what is missed
/// was missed for a moment. The wait is bounded: a lock may have been left behind.
class Stillness {
 public:
  /// The folder and the clock are not owned.
  Stillness(BoardFolder const& folder, os::Clock const& clock);

  /// Before the files are looked at.
  void begin();
  /// After they were read; `missed` is when one that is missed was last changed, nanoseconds since 1970.
  bool is_reached(std::optional<std::int64_t> missed) const;
  /// Waits a moment; false when it has waited for long enough.
  bool wait() const;

 private:
  struct GitState {
    Stamp index;
    Stamp lock;
    bool operator==(GitState const&) const = default;
  };
  using Steady = os::SteadyClock;

  GitState git_state() const;
  bool is_held(Stamp const& lock) const;

  BoardFolder const& folder_;
  os::Clock const& clock_;
  std::filesystem::path git_;  ///< the directory with the index; empty outside of a repository
  Steady::time_point const until_;
  GitState before_;
};

}  // namespace andon::store::markdown
