#include "bridge/telegram/receiver.hpp"

#include <algorithm>
#include <charconv>

#include "bridge/conversation/chat_commands.hpp"
#include "bridge/telegram/json_fields.hpp"
#include "bridge/telegram/outbox.hpp"
#include "core/text/visible_text.hpp"
#include "os/processes/log.hpp"

namespace andon::bridge::telegram {
namespace {

namespace json = boost::json;
using std::chrono::seconds;

constexpr seconds kLongPoll{50};
constexpr seconds kPollLimit{65};
constexpr seconds kFullOutboxWait{1};
constexpr seconds kNothingNewWait{1};
constexpr seconds kHopelessWait{60};
/// The longest time that a reply waits until the message that it answers is recorded.
constexpr seconds kLongestReplyWait{10};
constexpr std::chrono::milliseconds kReplyWait{200};

json::object poll_parameters(std::int64_t offset, std::int64_t limit) {
  return {{"offset", offset},
          {"limit", limit},
          {"timeout", kLongPoll.count()},
          {"allowed_updates", json::array{"message", "callback_query"}}};
}

/// The id of the update that an answer begins with; 0 when it does not begin with one.
std::int64_t first_id_in(std::string_view answer) {
  constexpr std::string_view kName = R"("update_id":)";
  auto const at = answer.find(kName);
  std::int64_t id = 0;
  if (at != std::string_view::npos)
    std::from_chars(answer.data() + at + kName.size(), answer.data() + answer.size(), id);
  return id;
}

/// The updates of a result in the order of their ids.
std::vector<json::value const*> in_order(json::array const& updates) {
  std::vector<json::value const*> out;
  for (auto const& update : updates)
    if (integer(&update, "update_id") > 0) out.push_back(&update);
  std::ranges::sort(out, {}, [](json::value const* update) { return integer(update, "update_id"); });
  return out;
}

/// The commands that Telegram completes in its chats.
json::array command_list() {
  json::array out;
  for (auto const& command : chat_commands())
    out.push_back(json::object{{"command", json::string_view{command.name}},
                               {"description", json::string_view{command.summary}}});
  return out;
}

}  // namespace

Receiver::Receiver(Settings const& settings, std::string bot_id, BotApi api, Record& record, Contact& contact,
                   TakeMessage take)
    : bot_id_(std::move(bot_id)),
      api_(std::move(api)),
      record_(record),
      contact_(contact),
      take_(std::move(take)),
      reader_(settings),
      offset_(record.read([](State const& state) { return state.offset; })) {}

core::Duration Receiver::step(core::ClockReading const& now) {
  auto const handling = record_.read([](State const& state) { return state.handling; });
  if (handling) {
    finish(*handling, now);
    return {};
  }
  if (record_.read([](State const& state) { return state.outbox.size(); }) >= kFullOutbox)
    return kFullOutboxWait;
  if (auto const left = contact_.pause_left(now.uptime); left > core::Duration{}) return left;
  return poll(now);
}

core::Duration Receiver::poll(core::ClockReading const& now) {
  if (!is_greeted_) {
    auto const self = api_.call("getMe", {});
    if (!self) return after_error(self.error(), now);
    contact_.answered(now.wall);
    contact_.set_bot(core::visible_line(text(&*self, "username")));
    reader_.set_bot(std::string{text(&*self, "username")});
    call_in_passing("setMyCommands", {{"commands", command_list()}}, now);
    is_greeted_ = true;
  }
  auto const updates = api_.call("getUpdates", poll_parameters(offset_, limit_), kPollLimit);
  if (!updates && updates.error().is_too_large) return after_too_large(updates.error(), now);
  if (!updates) return after_error(updates.error(), now);
  if (!updates->is_array()) return after_error({.message = "getUpdates gave no list"}, now);
  contact_.reached(Loop::receiving, now.wall);
  backoff_.reset();
  limit_ = kMostAtOnce;
  bool is_any_new = false;
  for (auto const* update : in_order(updates->get_array())) {
    auto const taken = take_update(*update, now);
    if (taken == Taken::waits) return kReplyWait;
    is_any_new = is_any_new || taken == Taken::is_new;
  }
  // A server that gives old updates again and again is not asked without a pause.
  return is_any_new || updates->get_array().empty() ? core::Duration{} : kNothingNewWait;
}

core::Duration Receiver::after_error(CallError const& error, core::ClockReading const& now) {
  auto const fail = [&](std::string why, core::Duration wait) {
    contact_.failed(Loop::receiving, std::move(why));
    return wait;
  };
  switch (error.failure) {
    case Failure::unauthorized:
      return fail("Telegram refuses the token; get a new one from @BotFather", kHopelessWait);
    case Failure::webhook: return after_webhook(now);
    case Failure::other_poller:
      return fail("another program reads the messages of this bot; stop it, or use another bot",
                  kHopelessWait);
    case Failure::too_many: contact_.pause_until(now.uptime + error.retry_after); return error.retry_after;
    default: return fail("cannot fetch messages: " + error.message, backoff_.next());
  }
}

/// Asks for one update, and passes over one that is too large alone. Its id stands at the beginning of the
/// answer. Where it does not, the offset grows by one until it is past it: that confirms no other update,
/// because it is the first that waits.
core::Duration Receiver::after_too_large(CallError const& error, core::ClockReading const& now) {
  if (limit_ > 1) {
    limit_ = 1;
    return {};
  }
  auto const id = first_id_in(error.beginning);
  if (id == 0 && offset_ == 0) return after_error(error, now);
  os::log(os::Level::warning, "telegram: one message is dropped, because it is too large (update " +
                                  std::to_string(id ? id : offset_) + ")");
  offset_ = (id ? id : offset_) + 1;
  contact_.reached(Loop::receiving, now.wall);
  return id ? core::Duration{} : backoff_.next();
}

core::Duration Receiver::after_webhook(core::ClockReading const& now) {
  if (!is_webhook_deleted_) {
    auto const deleted = api_.call("deleteWebhook", {});
    if (!deleted && deleted.error().failure != Failure::webhook) return after_error(deleted.error(), now);
    is_webhook_deleted_ = true;
    return {};
  }
  contact_.failed(Loop::receiving,
                  "another program sets a webhook for this bot again; stop it, or use another bot");
  return kHopelessWait;
}

/// True while the message that a reply answers may be on its way: it is not recorded, and one to this chat
/// may have arrived.
bool Receiver::is_ahead_of_its_message(Request const& request, core::ClockReading const& now) {
  auto const chat = request.message.place.chat;
  bool const may_come = request.replied_id != 0 && record_.read([&](State const& state) {
    return !is_sent(state, chat, request.replied_id) && is_on_its_way(state, chat);
  });
  if (!may_come) return false;
  if (!waits_since_) waits_since_ = now.uptime;
  return now.uptime - *waits_since_ < kLongestReplyWait;
}

Receiver::Taken Receiver::take_update(json::value const& update, core::ClockReading const& now) {
  auto const id = integer(&update, "update_id");
  bool const is_old = record_.read(
      [&](State const& state) { return std::ranges::find(state.handled, id) != state.handled.end(); });
  if (is_old) {
    offset_ = std::max(offset_, id + 1);
    return Taken::nothing_new;
  }
  auto request = reader_.read(update, [this](std::int64_t chat) {
    return record_.read([&](State const& state) { return settled_chat(state, chat); });
  });
  if (request && is_ahead_of_its_message(*request, now)) return Taken::waits;
  waits_since_.reset();
  if (auto const move = reader_.move_of(update))
    record_.change([&](State& state) { note_move(state, move->from, move->to); });
  bool const is_new = id >= offset_ || request;
  if (request) start(id, *std::move(request), now);
  offset_ = id + 1;
  return is_new ? Taken::is_new : Taken::nothing_new;
}

void Receiver::start(std::int64_t update, Request request, core::ClockReading const& now) {
  auto& message = request.message;
  message.key = "telegram:" + bot_id_ + ":" + std::to_string(update);
  message.about = record_.read(
      [&](State const& state) { return about_of(state, message.place.chat, request.replied_id); });
  Handling handling{.update = update, .message = message, .keyboard = {}, .callback_id = request.callback_id};
  if (!request.callback_id.empty()) {
    auto const act = record_.read([&](State const& state) {
      return act_of(state, request.handle, handling.message.place.chat, now.wall);
    });
    if (!act) {
      call_in_passing(
          "answerCallbackQuery",
          {{"callback_query_id", request.callback_id}, {"text", "This button was used or is too old."}}, now);
      return;
    }
    handling.message.act = *act;
    handling.keyboard = keyboard_of(request.handle);
    handling.message_id = request.message_id;
  }
  record_.change([&](State& state) { state.handling = handling; });
  finish(handling, now);
}

void Receiver::finish(Handling const& handling, core::ClockReading const& now) {
  auto const answers = take_(handling.message);
  record_.change([&](State& state) {
    for (auto const& answer : answers) add_message(state, answer, {.now = now.wall});
    if (!handling.keyboard.empty()) remove_keyboard(state, handling.keyboard);
    state.handled.push_back(handling.update);
    state.offset = handling.update + 1;
    state.handling.reset();
  });
  offset_ = handling.update + 1;
  if (handling.callback_id.empty()) return;
  auto const chat =
      record_.read([&](State const& state) { return current_chat(state, handling.message.place.chat); });
  call_in_passing("answerCallbackQuery", {{"callback_query_id", handling.callback_id}}, now);
  call_in_passing("editMessageReplyMarkup",
                  {{"chat_id", chat},
                   {"message_id", handling.message_id},
                   {"reply_markup", {{"inline_keyboard", json::array{}}}}},
                  now);
}

/// A call whose failure only leaves a press unanswered, or buttons that refuse.
void Receiver::call_in_passing(std::string_view method, json::object const& parameters,
                               core::ClockReading const& now) {
  if (contact_.pause_left(now.uptime) > core::Duration{}) return;
  auto const result = api_.call(method, parameters);
  if (result) contact_.answered(now.wall);
  if (!result && result.error().failure == Failure::too_many)
    contact_.pause_until(now.uptime + result.error().retry_after);
}

}  // namespace andon::bridge::telegram
