#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace andon::bridge {

/// A chat of a messenger, or one topic of it.
struct Place {
  std::int64_t chat = 0;
  std::int64_t thread = 0;  ///< 0 for the chat itself
  auto operator<=>(Place const&) const = default;
};
void describe(auto& field, Place const*) {
  field(&Place::chat, "chat");
  field(&Place::thread, "thread");
}

/// A `command` is one that Andon offers itself, such as `/resume all`: it may be pressed.
enum class Style { plain, bold, code, quote, command };

/// A piece of text. The messenger's part escapes it, so no text can become markup, a link, a name that is
/// called, or a command.
struct Span {
  std::string text;
  Style style = Style::plain;
};

/// A button beneath a message. A messenger keeps `act` and gives it back once when somebody presses it.
struct Button {
  std::string label;
  std::string act;  ///< what it does, such as `accept 42`; made and read by the conversation alone
};

/// A message of the board to a place.
struct OutMessage {
  Place place;
  std::vector<Span> text;
  std::vector<std::vector<Button>> buttons{};  ///< rows
  std::string about{};     ///< what a reply to it is about, such as `question 42`; empty for nothing
  bool asks = false;       ///< the messenger should offer to answer by a reply
  bool is_silent = false;  ///< without a sound
  std::string news{};      ///< of news: the one line that stands for it in a summary; empty for an answer
  std::string replaces{};  ///< the `key` of a message whose text it takes the place of
  std::string key{};       ///< names this message for a later `replaces`; empty for none
};

/// A message of a person, or a press of a button. The person is on the list of users of the place.
struct InMessage {
  std::string key;  ///< the same when the messenger delivers it again; at most one effect per key
  Place place;
  std::int64_t user = 0;
  std::string text{};     ///< at most 64 KiB; of a button: empty
  std::string about{};    ///< of the message that it answers
  std::string act{};      ///< of the button that was pressed
  std::string refusal{};  ///< set for what the messenger's part does not take, such as `voice`: only answered
};

}  // namespace andon::bridge
