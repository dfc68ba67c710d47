#pragma once

#include <string>
#include <vector>

#include "api/executor.hpp"
#include "bridge/conversation/message.hpp"
#include "bridge/conversation/settings.hpp"

namespace andon::bridge {

/// The messages about events of the board after a place in its history.
struct News {
  std::string place;  ///< where the next look begins
  std::vector<OutMessage> messages;
};

/// The board as a partner in a chat. It keeps no state of its own: everything it must know later lies in the
/// board, or in what the messenger keeps of its messages.
class Conversation {
 public:
  /// All outlive it. Without `watches`, no output of runs can be followed.
  Conversation(api::Executor& executor, Settings const& settings, class Watches* watches = nullptr)
      : executor_(executor), settings_(settings), watches_(watches) {}

  /// Does what a message asks for and returns the answers. A message that comes again with the same key has
  /// no second effect and gets the same answers.
  std::vector<OutMessage> take(InMessage const& message);

  /// Makes the messages about events after a place; with an empty place, tells only where the history ends.
  /// Reads the next 200 events at most. Where more happened, or the history does not go on from that place,
  /// each chat is told so and the rest is left out: the new place is the end of the history.
  core::Result<News> news_since(std::string const& place);

  /// All boards, archived ones too.
  core::Result<std::vector<std::string>> board_names();

 private:
  api::Executor& executor_;
  Settings const& settings_;
  class Watches* watches_;
};

}  // namespace andon::bridge
