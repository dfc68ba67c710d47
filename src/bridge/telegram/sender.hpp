#pragma once

#include <functional>

#include "bridge/conversation/settings.hpp"
#include "bridge/telegram/bot_api.hpp"
#include "bridge/telegram/contact.hpp"
#include "bridge/telegram/pace.hpp"
#include "bridge/telegram/record.hpp"
#include "core/time/clock_reading.hpp"
#include "core/time/time_zone.hpp"

namespace andon::bridge::telegram {

/// Sends the messages that wait, one with each step:
///
///     record that the message is tried -> sendMessage or editMessageText
///       -> record in one write: the message is gone from the outbox, its id, what it is about
///
/// A message whose fate is unknown, after a stop between the writes or a cut connection, is sent again with a
/// note. An edit may come twice without one. A refused message is dropped with a line in the log.
class Sender {
 public:
  Sender(Settings const& settings, core::TimeZones const& zones, BotApi api, Record& record, Contact& contact)
      : settings_(settings), zones_(zones), api_(std::move(api)), record_(record), contact_(contact) {}

  /// Returns the wait before the next step if no message is added before.
  core::Duration step(core::ClockReading const& now);

 private:
  core::Duration send(Post const& post, core::ClockReading const& now);
  core::Duration after_error(Post const& post, CallError const& error, core::ClockReading const& now);
  void drop(Post const& post, std::string const& why);
  void untry(Post const& post);
  std::int64_t message_to_edit(Post const& post) const;
  bool is_quiet(core::Instant now) const;

  Settings const& settings_;
  core::TimeZones const& zones_;
  BotApi api_;
  Record& record_;
  Contact& contact_;
  Pace pace_;
  Backoff backoff_;
};

}  // namespace andon::bridge::telegram
