#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "api/run_output.hpp"
#include "bridge/conversation/chat_board.hpp"

namespace andon::bridge {

/// The runs whose output chats follow: one message each, which is written anew every few seconds, until the
/// run ends. They are forgotten when the server stops. Thread-safe.
class Watches {
 public:
  /// Both outlive it.
  Watches(api::Executor& executor, api::RunOutput& output) : executor_(executor), output_(output) {}

  /// Follows the run that works on a task, and returns the first message. The oldest of too many is
  /// forgotten.
  OutMessage begin(Chat const& chat, core::Task const& task, std::string worker);
  /// Follows a run no longer.
  void end(Place const& place, core::RunId run);
  /// The messages with what was printed since the last time.
  std::vector<OutMessage> step(core::Instant now);

 private:
  struct Watch {
    Place place;
    core::TaskId task = 0;
    core::RunId run = 0;
    std::string title;
    std::string cursor;
    std::deque<std::string> lines;
    core::Instant told{};
  };

  struct Progress {
    bool is_new = false;     ///< something was printed
    bool is_at_end = false;  ///< everything was read
  };

  Progress read_on(Watch& watch);
  bool has_ended(Watch const& watch);

  api::Executor& executor_;
  api::RunOutput& output_;
  std::mutex mutex_;
  std::deque<Watch> watches_;
};

}  // namespace andon::bridge
