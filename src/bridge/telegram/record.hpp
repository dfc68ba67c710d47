#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/message.hpp"
#include "core/time/time.hpp"

namespace andon::bridge {

void describe(auto& field, InMessage const*) {
  field(&InMessage::key, "key");
  field(&InMessage::place, "place");
  field(&InMessage::user, "user");
  field(&InMessage::text, "text");
  field(&InMessage::about, "about");
  field(&InMessage::act, "act");
  field(&InMessage::refusal, "refusal");
}

}  // namespace andon::bridge

namespace andon::bridge::telegram {

/// A message that waits to be sent.
struct Post {
  std::string id{};  ///< random; the handles of its buttons begin with it
  Place place{};
  std::string html{};  ///< of at most one message of Telegram; empty for a summary
  std::vector<std::vector<std::string>> labels{};  ///< of its buttons, in rows
  std::string about{};
  std::string key{};
  std::string replaces{};
  bool asks = false;
  bool is_silent = false;
  std::string news{};                ///< the line that stands for it in a summary
  std::vector<std::string> lines{};  ///< of a summary
  std::int64_t left_out = 0;         ///< lines that the summary has no room for
  core::Instant due{};               ///< not before
  bool is_tried = false;             ///< it may have arrived
};
void describe(auto& field, Post const*) {
  field(&Post::id, "id");
  field(&Post::place, "place");
  field(&Post::html, "html");
  field(&Post::labels, "labels");
  field(&Post::about, "about");
  field(&Post::key, "key");
  field(&Post::replaces, "replaces");
  field(&Post::asks, "asks");
  field(&Post::is_silent, "is_silent");
  field(&Post::news, "news");
  field(&Post::lines, "lines");
  field(&Post::left_out, "left_out");
  field(&Post::due, "due");
  field(&Post::is_tried, "is_tried");
}

/// The buttons of a message. A press spends all of them.
struct Keyboard {
  std::string id{};  ///< of the post
  std::int64_t chat = 0;
  std::vector<std::string> acts;
  core::Instant expires{};
};
void describe(auto& field, Keyboard const*) {
  field(&Keyboard::id, "id");
  field(&Keyboard::chat, "chat");
  field(&Keyboard::acts, "acts");
  field(&Keyboard::expires, "expires");
}

/// A message that was sent and that something may refer to.
struct SentMessage {
  std::int64_t chat = 0;
  std::int64_t message = 0;
  std::string about{};
  std::string key{};
  std::string keyboard{};
};
void describe(auto& field, SentMessage const*) {
  field(&SentMessage::chat, "chat");
  field(&SentMessage::message, "message");
  field(&SentMessage::about, "about");
  field(&SentMessage::key, "key");
  field(&SentMessage::keyboard, "keyboard");
}

/// An update that is being handled.
struct Handling {
  std::int64_t update = 0;
  InMessage message{};
  std::string keyboard{};       ///< whose button was pressed
  std::int64_t message_id = 0;  ///< of the message with that button
  std::string callback_id{};
};
void describe(auto& field, Handling const*) {
  field(&Handling::update, "update");
  field(&Handling::message, "message");
  field(&Handling::keyboard, "keyboard");
  field(&Handling::message_id, "message_id");
  field(&Handling::callback_id, "callback_id");
}

/// A group that got a new id.
struct MovedChat {
  std::int64_t from = 0;  ///< as the settings know it
  std::int64_t to = 0;
};
void describe(auto& field, MovedChat const*) {
  field(&MovedChat::from, "from");
  field(&MovedChat::to, "to");
}

/// All that must survive a restart.
struct State {
  std::int64_t schema = 1;
  std::string bot;
  std::int64_t offset = 0;            ///< of the next update to ask for
  std::vector<std::int64_t> handled;  ///< the latest update ids, newest last
  std::optional<Handling> handling;
  std::vector<Post> outbox;
  std::vector<Keyboard> keyboards;
  std::vector<SentMessage> sent;
  std::vector<MovedChat> moved;
  std::string place;  ///< in the history of the board, up to which news was taken
};
void describe(auto& field, State const*) {
  field(&State::schema, "schema");
  field(&State::bot, "bot");
  field(&State::offset, "offset");
  field(&State::handled, "handled");
  field(&State::handling, "handling");
  field(&State::outbox, "outbox");
  field(&State::keyboards, "keyboards");
  field(&State::sent, "sent");
  field(&State::moved, "moved");
  field(&State::place, "place");
}

/// The state, kept in a file. Thread-safe.
class Record {
 public:
  /// Makes the content durable, or throws.
  using Write = std::function<void(std::string_view content)>;

  Record(State state, Write write) : write_(std::move(write)), state_(std::move(state)) {}

  template <class Look>
  auto read(Look look) const {
    std::scoped_lock const lock{mutex_};
    return look(state_);
  }
  /// Changes the state by one write. When it throws, the state is as before. Oldest entries go beyond the
  /// bounds of the state.
  void change(std::function<void(State&)> const& change);

 private:
  Write write_;
  mutable std::mutex mutex_;
  State state_;  ///< guarded by mutex_
};

/// The state that a file holds for a bot. A damaged file, and that of another bot, is set aside as
/// `FILE.aside`, with a line in the log.
State read_state(std::filesystem::path const& file, std::string const& bot);

/// The id that Telegram has for a chat of the settings, and the reverse.
std::int64_t current_chat(State const& state, std::int64_t chat);
std::int64_t settled_chat(State const& state, std::int64_t chat);
/// Notes the new id of a chat of the settings and logs it.
void note_move(State& state, std::int64_t from, std::int64_t to);

/// The act of a button. Nothing for a handle that is unknown, spent, expired, or of another chat.
std::optional<std::string> act_of(State const& state, std::string_view handle, std::int64_t chat,
                                  core::Instant now);
/// The keyboard that a handle belongs to.
std::string_view keyboard_of(std::string_view handle);
std::string handle_of(std::string_view keyboard, std::size_t button);

/// True when the message is recorded as sent to the chat.
bool is_sent(State const& state, std::int64_t chat, std::int64_t message);
/// True when a message to the chat may have arrived that is not recorded as sent.
bool is_on_its_way(State const& state, std::int64_t chat);
/// The subject of a sent message; empty when it is not known.
std::string about_of(State const& state, std::int64_t chat, std::int64_t message);

}  // namespace andon::bridge::telegram
