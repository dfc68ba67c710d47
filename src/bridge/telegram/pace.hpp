#pragma once

#include <map>

#include "core/time/time.hpp"

namespace andon::bridge::telegram {

/// Tokens that come back with time.
struct Bucket {
  double tokens = 0;
  core::Duration at{};  ///< when they were counted
};

/// How many messages the Bot API takes (https://core.telegram.org/bots/faq, "My bot is hitting limits"):
/// about one a second in a chat with bursts of three, 20 a minute in a group, 30 a second in all. Times are
/// uptimes.
class Pace {
 public:
  /// How long a message to the chat must wait; zero when it may go.
  core::Duration wait(std::int64_t chat, core::Duration now) const;
  /// Counts a message to the chat.
  void spend(std::int64_t chat, core::Duration now);

 private:
  std::map<std::int64_t, Bucket> chats_;
  std::map<std::int64_t, Bucket> groups_;
  Bucket all_{.tokens = 30};
};

/// Waits between attempts: 1 s, then twice as long each time, at most 60 s.
class Backoff {
 public:
  core::Duration next();
  void reset() { wait_ = {}; }

 private:
  core::Duration wait_{};
};

}  // namespace andon::bridge::telegram
