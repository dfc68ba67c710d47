#pragma once

#include <string>
#include <vector>

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
void describe(auto& field, ChatStatus const*) {
  field(&ChatStatus::configured, "configured", "Whether there are settings for it", core::always);
  field(&ChatStatus::bot, "bot", "User name of the bot");
  field(&ChatStatus::last_contact, "last_contact", "When the messenger last answered");
  field(&ChatStatus::wrong, "wrong", "What is wrong, as sentences; absent when all is well");
  field(&ChatStatus::waiting, "waiting", "Messages that wait to be sent", core::set_only);
  field(&ChatStatus::chats, "chats", "Chats and topics that it serves", core::set_only);
}

/// A bridge to a messenger. Thread-safe.
class ChatBridge {
 public:
  virtual ~ChatBridge() = default;
  virtual ChatStatus status() const = 0;
};

}  // namespace andon::api
