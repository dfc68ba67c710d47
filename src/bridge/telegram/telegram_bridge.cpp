#include "bridge/telegram/telegram_bridge.hpp"

#include <algorithm>

namespace andon::bridge::telegram {
namespace {

constexpr core::Duration kNewsWait = std::chrono::seconds{60};
constexpr core::Duration kFullOutboxNewsWait = std::chrono::seconds{5};

std::size_t count_waiting(Record const& record) {
  return record.read([](State const& state) { return state.outbox.size(); });
}

}  // namespace

TelegramBridge::TelegramBridge(Settings const& settings, Account const& account, core::TimeZones const& zones,
                               State state, Ports ports)
    : settings_(settings),
      zones_(zones),
      ports_(std::move(ports)),
      record_(std::move(state), ports_.write),
      receiver_(settings, account.bot_id(), BotApi{account, ports_.receive}, record_, contact_, ports_.take),
      sender_(settings, zones, BotApi{account, ports_.send}, record_, contact_) {}

core::Duration TelegramBridge::receive(core::ClockReading const& now) {
  auto const before = count_waiting(record_);
  auto const wait = receiver_.step(now);
  if (ports_.added && count_waiting(record_) > before) ports_.added();
  return wait;
}

core::Duration TelegramBridge::send(core::ClockReading const& now) {
  if (!is_rescheduled_) reschedule(now.wall);
  is_rescheduled_ = true;
  return sender_.step(now);
}

/// News that waits from an earlier start leaves when the present settings say.
void TelegramBridge::reschedule(core::Instant now) {
  auto const quiet_end = settings_.quiet ? core::end_of(*settings_.quiet, &zones_, now) : std::nullopt;
  auto const due_of = [&](core::Instant due) {
    return quiet_end ? *quiet_end : std::min(due, now + settings_.digest);
  };
  if (count_waiting(record_) > 0) record_.change([&](State& state) { reschedule_news(state, due_of); });
}

core::Duration TelegramBridge::news(core::ClockReading const& now) {
  if (count_waiting(record_) >= kFullOutbox) return kFullOutboxNewsWait;
  auto const place = record_.read([](State const& state) { return state.place; });
  auto const news = ports_.news_since(place);
  if (!news) {
    contact_.failed(Loop::news, "cannot read the news of the board: " + news.error().message);
    return news_backoff_.next();
  }
  contact_.works(Loop::news);
  news_backoff_.reset();
  if (news->messages.empty() && news->place == place) return kNewsWait;
  record_.change([&](State& state) {
    for (auto const& message : news->messages)
      add_message(state, message, timing_of(message, state, now.wall));
    state.place = news->place;
  });
  if (ports_.added && !news->messages.empty()) ports_.added();
  return news->place == place ? kNewsWait : core::Duration{};
}

/// Answers, and output that is followed, leave at once. News waits for the end of the quiet hours, or until
/// as much of it is collected as `digest` says.
Timing TelegramBridge::timing_of(OutMessage const& message, State const& state, core::Instant now) const {
  Timing out{.now = now};
  if (message.news.empty()) return out;
  if (settings_.quiet)
    if (auto const end = core::end_of(*settings_.quiet, &zones_, now)) {
      out.due = *end;
      out.is_collected = true;
      return out;
    }
  if (settings_.digest == core::Duration{}) return out;
  out.is_collected = true;
  out.due = now + settings_.digest;
  for (auto const& post : state.outbox)
    if (post.place == message.place && post.due > now && post.due < out.due) out.due = post.due;
  return out;
}

BridgeStatus TelegramBridge::status() const {
  auto contact = contact_.now();
  return {.last_contact = contact.last,
          .bot = std::move(contact.bot),
          .wrong = std::move(contact.wrong),
          .waiting = count_waiting(record_)};
}

}  // namespace andon::bridge::telegram
