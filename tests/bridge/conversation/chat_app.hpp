#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "service/test_app.hpp"

namespace andon::test {

/// A board with chats: 77 of the whole board, 88 of the worker developer, who is sent to work at once, and 99
/// of another board.
class ChatApp {
 public:
  ChatApp();

  /// What the chat answers to a text, with a key of its own.
  std::vector<bridge::OutMessage> say(std::string_view text, std::int64_t chat = 77);
  /// The answer to a text that gets one message.
  bridge::OutMessage one(std::string_view text, std::int64_t chat = 77);
  std::string answer(std::string_view text, std::int64_t chat = 77);
  std::string press(std::string_view act, std::int64_t chat = 77);
  std::string reply(std::string_view about, std::string_view text, std::int64_t chat = 77);
  /// A message with that key.
  bridge::InMessage message(std::string key, std::string_view text, std::int64_t chat = 77) const;
  std::vector<bridge::OutMessage> take(bridge::InMessage const& message) {
    return conversation.take(message);
  }

  /// What a chat is told of what happened since this was last asked.
  std::vector<bridge::OutMessage> news(std::int64_t chat = 77);
  /// Forgets what happened so far.
  void skip_news();
  /// The summaries of the news of a chat.
  std::vector<std::string> headlines(std::int64_t chat = 77);

  TestApp app;
  bridge::Settings settings;
  bridge::Conversation conversation{app.executor, settings};
  std::string place;
  int keys = 0;
};

/// A message as a reader sees it: its text, and its buttons in brackets.
std::string shown(bridge::OutMessage const& message);
/// The act of the button with that label.
std::string act_of(bridge::OutMessage const& message, std::string_view label);
std::vector<std::string> labels_of(bridge::OutMessage const& message);

}  // namespace andon::test
