#pragma once

#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::api {

/// How the bridge to a messenger does.
struct ChatStatus {
  bool configured = false;
  std::string bot;
  std::optional<core::Instant> last_contact;
  std::vector<std::string> wrong;
  int waiting = 0;
  int chats = 0;
};
BOOST_DESCRIBE_STRUCT(ChatStatus, (), (configured, bot, last_contact, wrong, waiting, chats))
inline constexpr std::array kChatStatusFields{
    core::Field{"configured", "Whether there are settings for it", core::always},
    core::Field{"bot", "User name of the bot"},
    core::Field{"last_contact", "When the messenger last answered"},
    core::Field{"wrong", "What is wrong, as sentences; absent when all is well"},
    core::Field{"waiting", "Messages that wait to be sent", core::set_only},
    core::Field{"chats", "Chats and topics that it serves", core::set_only}};
constexpr auto const& fields(ChatStatus const*) { return kChatStatusFields; }

/// A bridge to a messenger. Thread-safe.
class ChatBridge {
 public:
  virtual ~ChatBridge() = default;
  virtual ChatStatus status() const = 0;
};

}  // namespace andon::api
