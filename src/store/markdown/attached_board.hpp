#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "os/data/awaited_lock.hpp"
#include "os/files/directory_watch.hpp"
#include "os/processes/clock.hpp"
#include "store/markdown/sync/board_mirror.hpp"

namespace andon::store::markdown {

/// The files of one attached board, as far as the server knows them.
struct AttachedBoard {
  using Steady = os::SteadyClock;

  std::filesystem::path directory;
  Calls calls;  ///< the thread for calls on its files, which may lie on a mount that does not answer
  std::shared_ptr<os::AwaitedLock> lock;
  std::optional<os::FileLock> held{};             ///< held until the batch ends
  std::unique_ptr<BoardMirror> mirror{};          ///< null while the directory cannot be opened
  std::filesystem::path watched{};                ///< the watched directory of its tasks
  bool is_told = false;                           ///< whether the kernel reports every change
  os::DirectoryWatch::Touched touched{};          ///< changed names that were not compared yet
  bool is_behind = true;                          ///< whether files may differ from the store
  bool is_in_unit = false;                        ///< whether the unit changes the board
  bool is_wanted = false;                         ///< whether a unit waits until the store shows the files
  Steady::time_point not_before{};                ///< the earliest time of the next try, after a failure
  std::optional<Steady::time_point> git_since{};  ///< since when reading waits for git
  Steady::time_point looked{};                    ///< when all files were last compared

  /// A board whose files were not read yet.
  static AttachedBoard in(std::filesystem::path directory);
  /// The time at which all files are to be compared again, even without a reported change.
  Steady::time_point look_again() const;
  /// True when the files are to be compared with the store now.
  bool is_due() const;
  /// The next time at which the board may be due without a report of a change.
  Steady::time_point next_due() const;
  /// Makes the board the first one that is brought up.
  void want();
  /// Notes that the files must be compared again, but not before the pause is over.
  void try_again_after(Steady::duration pause);
};

/// How often all files are compared when there is no directory watch.
inline constexpr std::chrono::seconds kLookUntold{3};
/// How long the writer waits for one call on the files of a board. After that time the files are taken to be
/// on a mount that does not answer. The board is in trouble until the call returns.
inline constexpr std::chrono::milliseconds kAnswerTime{500};

}  // namespace andon::store::markdown
