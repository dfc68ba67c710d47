#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bridge/telegram/bot_api.hpp"
#include "bridge/telegram/contact.hpp"
#include "bridge/telegram/pace.hpp"
#include "bridge/telegram/record.hpp"
#include "bridge/telegram/updates.hpp"
#include "core/time/clock_reading.hpp"

namespace andon::bridge::telegram {

/// Does what a message asks for. A message with a known key has no second effect.
using TakeMessage = std::function<std::vector<OutMessage>(InMessage const&)>;

/// Fetches updates and has each handled once:
///
///     getUpdates(offset) -> record the update -> take the message, with a key made of bot and update
///       -> record in one write: the answers, the spent buttons, the update as handled, the offset
///       -> answer the press of a button and remove the buttons of its message
///
/// After a stop before the second write the update is handled again, and its key keeps the board from a
/// second effect. After one behind it, only the last line is lost: the buttons stay and refuse. Ids of
/// updates rise, but begin anew somewhere after a week of silence, so a lower id is not an old one. An update
/// that is too large to be taken is passed over, with a line in the log. A reply may come before the message
/// that it answers is recorded as sent: it waits for that, with all updates behind it, for some seconds at
/// most.
class Receiver {
 public:
  Receiver(Settings const& settings, std::string bot_id, BotApi api, Record& record, Contact& contact,
           TakeMessage take);

  /// One step, which lasts as long as the server holds the request (50 s) when nothing comes. Returns the
  /// wait before the next one.
  core::Duration step(core::ClockReading const& now);

 private:
  static constexpr std::int64_t kMostAtOnce = 100;

  core::Duration poll(core::ClockReading const& now);
  core::Duration after_error(CallError const& error, core::ClockReading const& now);
  core::Duration after_too_large(CallError const& error, core::ClockReading const& now);
  core::Duration after_webhook(core::ClockReading const& now);
  enum class Taken { nothing_new, is_new, waits };
  Taken take_update(boost::json::value const& update, core::ClockReading const& now);
  bool is_ahead_of_its_message(Request const& request, core::ClockReading const& now);
  void start(std::int64_t update, Request request, core::ClockReading const& now);
  void finish(Handling const& handling, core::ClockReading const& now);
  void call_in_passing(std::string_view method, boost::json::object const& parameters,
                       core::ClockReading const& now);

  std::string bot_id_;
  BotApi api_;
  Record& record_;
  Contact& contact_;
  TakeMessage take_;
  UpdateReader reader_;
  Backoff backoff_;
  std::int64_t offset_ = 0;           ///< runs ahead of the recorded one by updates that need nothing
  std::int64_t limit_ = kMostAtOnce;  ///< of updates in one answer; 1 after one that was too large
  std::optional<core::Duration> waits_since_{};  ///< uptime since which a reply waits for its message
  bool is_greeted_ = false;
  bool is_webhook_deleted_ = false;
};

}  // namespace andon::bridge::telegram
