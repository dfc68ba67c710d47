#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "bridge/conversation/conversation.hpp"
#include "bridge/telegram/outbox.hpp"
#include "bridge/telegram/receiver.hpp"
#include "bridge/telegram/sender.hpp"
#include "bridge/telegram/settings.hpp"

namespace andon::bridge::telegram {

/// The functions that the bridge calls outside itself. Each step of a loop calls only its own.
struct Ports {
  TakeMessage take;                                                        ///< by the receiving loop
  std::function<core::Result<News>(std::string const& place)> news_since;  ///< by the loop of news
  SendRequest receive;            ///< an HTTP client of the receiving loop
  SendRequest send;               ///< another of the sending loop
  Record::Write write;            ///< replaces `telegram.state`, which `read_state` reads at the start
  std::function<void()> added{};  ///< messages wait: wakes the sending loop. May be empty
};

/// For people.
struct BridgeStatus {
  std::optional<core::Instant> last_contact;
  std::string bot;                 ///< its user name; empty before the first contact
  std::vector<std::string> wrong;  ///< sentences; empty when all is well
  std::size_t waiting = 0;         ///< messages in the outbox
};

/// The bridge to Telegram as three loops, each on a thread of its own that steps it and waits as long as the
/// step says. A step that throws may be stepped again: nothing is lost or done twice.
class TelegramBridge {
 public:
  /// Settings and zones outlive it.
  TelegramBridge(Settings const& settings, Account const& account, core::TimeZones const& zones, State state,
                 Ports ports);

  /// Fetches and handles updates. Blocks while the server holds the request.
  core::Duration receive(core::ClockReading const& now);
  /// Sends one message. To be stepped early when `Ports::added` is called.
  core::Duration send(core::ClockReading const& now);
  /// Takes in news. To be stepped early when the board changes.
  core::Duration news(core::ClockReading const& now);

  BridgeStatus status() const;

 private:
  Timing timing_of(OutMessage const& message, State const& state, core::Instant now) const;
  void reschedule(core::Instant now);

  Settings const& settings_;
  core::TimeZones const& zones_;
  Ports ports_;
  Record record_;
  Contact contact_;
  Receiver receiver_;
  Sender sender_;
  Backoff news_backoff_;
  bool is_rescheduled_ = false;  ///< of the sending loop
};

}  // namespace andon::bridge::telegram
