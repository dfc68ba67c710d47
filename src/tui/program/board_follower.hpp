#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "os/files/directory_watch.hpp"
#include "tui/program/board_way.hpp"
#include "tui/program/feed.hpp"
#include "tui/program/mailbox.hpp"

namespace andon::tui {

/// Follows a board on a thread of its own: by the server's stream, which it takes up again where it ended, or
/// by watching the directories of a board of files.
class BoardFollower {
 public:
  /// `read_anew` is called on the thread when only a fresh look at the board helps. Files are watched from
  /// here on: a board that is read afterwards misses no change. Neither the access nor the mailbox is owned.
  BoardFollower(BoardAccess const& access, Mailbox& mailbox, std::function<void()> read_anew);
  ~BoardFollower();

  /// From now on this board, after that place of its history. Its changes are posted with that turn, which
  /// rises with each call.
  void follow(std::string board, std::string cursor, int turn);

 private:
  struct Wanted {
    std::string board;
    std::string cursor;
    int turn = 0;
  };

  void watch_files(bool is_watched);
  void follow_server();
  /// Reads the stream until it ends or something else is wanted. True when a fresh look is needed.
  bool read_stream(Wanted const& wanted, FeedReader& reader);
  bool is_wanted(int turn);
  bool pause(int turn, std::chrono::milliseconds time);

  BoardAccess const& access_;
  Mailbox& mailbox_;
  std::function<void()> const read_anew_;
  os::DirectoryWatch watch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Wanted wanted_;                             ///< guarded by mutex_
  bool is_ending_ = false;                    ///< guarded by mutex_
  api::RemoteExecutor* streaming_ = nullptr;  ///< guarded by mutex_
  std::thread thread_;
};

}  // namespace andon::tui
