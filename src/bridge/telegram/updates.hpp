#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include <boost/json/value.hpp>

#include "bridge/conversation/message.hpp"
#include "bridge/conversation/settings.hpp"

namespace andon::bridge::telegram {

/// The request in an update of the Bot API, by somebody who is on the lists.
struct Request {
  InMessage message;            ///< without a key, `about` and `act`
  std::int64_t message_id = 0;  ///< of the message with the button that was pressed
  std::int64_t replied_id = 0;  ///< of the message that it answers; 0 for none
  std::string callback_id;      ///< of a press
  std::string handle;           ///< of the button that was pressed
};

/// Decides who is listened to: a chat and a user who are both on the lists, by their numeric ids.
///
/// Nothing comes of bots, of anonymous administrators and channels, which share one id, of edited and
/// forwarded messages, and of kinds of updates that are not known here. Strangers get no answer; each id is
/// logged once.
class UpdateReader {
 public:
  explicit UpdateReader(Settings const& settings) : settings_(settings) {}

  /// Takes the user name of the bot. In groups, `/stop@NAME` is for the bot of that name alone, and no
  /// command with a name is for a bot whose own is not known.
  void set_bot(std::string name) { bot_ = std::move(name); }

  /// `chat_of` gives the id by which the settings know a chat that has moved.
  std::optional<Request> read(boost::json::value const& update,
                              std::function<std::int64_t(std::int64_t)> const& chat_of);

  /// The new id of a chat of the settings, of which a message of Telegram's own informs.
  struct Move {
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  std::optional<Move> move_of(boost::json::value const& update) const;

 private:
  bool is_allowed(Place const& place, std::int64_t user);
  /// The topic if the settings have an entry for it, else its chat.
  Place listed(Place place) const;

  Settings const& settings_;
  std::string bot_;
  std::set<std::pair<std::int64_t, std::int64_t>> strangers_;  ///< chats and users that were logged
};

}  // namespace andon::bridge::telegram
