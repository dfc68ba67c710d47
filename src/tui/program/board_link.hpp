#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "tui/program/board_follower.hpp"
#include "tui/program/board_way.hpp"
#include "tui/program/mailbox.hpp"

namespace andon::tui {

/// Does what the model asks for, on a thread of its own, one thing after the other. What comes of it is
/// posted to the mailbox.
class BoardLink {
 public:
  /// The mailbox is not owned and outlives this.
  BoardLink(BoardAccess access, Mailbox& mailbox);
  /// Makes the changes that were asked for, and does no more.
  ~BoardLink();

  using Job = std::variant<Ask, ReadOutput, ReadBoard>;
  void start(Job job);

 private:
  /// The rest of a column that is still to be read.
  struct Rest {
    std::string column;
    std::string cursor;
    bool is_finished = false;  ///< the newest come first
  };

  /// The board that is shown, and how far it was read.
  struct Reading {
    std::string board;
    int turn = 0;  ///< rises with every reading
    std::deque<Rest> rest;
    std::size_t cards = 0;    ///< so far
    bool must_retry = false;  ///< the board could not be read: it is tried again soon
  };

  bool is_ending();
  void work();
  std::optional<Job> next();
  /// Opens the way where it is not open; posts the trouble when it cannot be.
  BoardWay* way();
  /// After a failed look the way is opened anew, because it may lead to a directory that was replaced.
  void lose_way(std::string const& reason);
  void run(Ask const& ask);
  void run(ReadOutput const& read);
  void run(ReadBoard const& read);
  void read_more();

  BoardAccess const access_;
  Mailbox& mailbox_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;         ///< guarded by mutex_
  bool is_ending_ = false;       ///< guarded by mutex_
  std::optional<BoardWay> way_;  ///< of the worker alone, like the next one
  Reading reading_;
  BoardFollower follower_;
  std::thread worker_;
};

}  // namespace andon::tui
