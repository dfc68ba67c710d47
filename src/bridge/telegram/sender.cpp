#include "bridge/telegram/sender.hpp"

#include <algorithm>

#include "bridge/telegram/json_fields.hpp"
#include "bridge/telegram/outbox.hpp"
#include "os/processes/log.hpp"

namespace andon::bridge::telegram {
namespace {

namespace json = boost::json;

constexpr core::Duration kIdleWait = std::chrono::seconds{60};
constexpr core::Duration kRefusedTokenWait = std::chrono::seconds{60};
constexpr std::string_view kAgain = "<i>(perhaps sent twice)</i>\n";  // at most 32 units of text

json::object keyboard(Post const& post) {
  json::array rows;
  std::size_t button = 0;
  for (auto const& row : post.labels) {
    json::array buttons;
    for (auto const& label : row)
      buttons.push_back({{"text", label}, {"callback_data", handle_of(post.id, button++)}});
    rows.push_back(std::move(buttons));
  }
  return {{"inline_keyboard", std::move(rows)}};
}

/// The parameters that a new message and an edited one have in common.
json::object text_parameters(Post const& post, std::int64_t chat, std::string text) {
  json::object out{{"chat_id", chat},
                   {"text", std::move(text)},
                   {"parse_mode", "HTML"},
                   {"link_preview_options", {{"is_disabled", true}}}};
  if (!post.labels.empty()) out["reply_markup"] = keyboard(post);
  return out;
}

json::object new_message(Post const& post, std::int64_t chat, bool is_silent) {
  auto out = text_parameters(post, chat, (post.is_tried ? std::string{kAgain} : "") + html_of(post));
  if (post.place.thread) out["message_thread_id"] = post.place.thread;
  if (is_silent) out["disable_notification"] = true;
  if (post.asks && post.labels.empty()) out["reply_markup"] = {{"force_reply", true}, {"selective", true}};
  return out;
}

Post* find_post(State& state, std::string_view id) {
  auto const found = std::ranges::find(state.outbox, id, &Post::id);
  return found == state.outbox.end() ? nullptr : &*found;
}

}  // namespace

bool Sender::is_quiet(core::Instant now) const {
  return settings_.quiet && core::end_of(*settings_.quiet, &zones_, now);
}

std::int64_t Sender::message_to_edit(Post const& post) const {
  if (post.replaces.empty()) return 0;
  return record_.read([&](State const& state) -> std::int64_t {
    for (auto const& sent : state.sent)
      if (sent.chat == post.place.chat && sent.key == post.replaces) return sent.message;
    return 0;
  });
}

core::Duration Sender::step(core::ClockReading const& now) {
  if (auto const left = contact_.pause_left(now.uptime); left > core::Duration{}) return left;
  auto const next =
      record_.read([&](State const& state) { return next_post(state, pace_, now.wall, now.uptime); });
  if (!next.post) return std::min(next.wait.value_or(kIdleWait), kIdleWait);
  return send(*next.post, now);
}

core::Duration Sender::send(Post const& post, core::ClockReading const& now) {
  if (!post.is_tried)
    record_.change([&](State& state) {
      if (auto* const one = find_post(state, post.id)) one->is_tried = true;
    });
  pace_.spend(post.place.chat, now.uptime);
  auto const chat = record_.read([&](State const& state) { return current_chat(state, post.place.chat); });
  auto const old = message_to_edit(post);
  CallResult result;
  if (old) {
    auto parameters = text_parameters(post, chat, html_of(post));
    parameters["message_id"] = old;
    result = api_.call("editMessageText", parameters);
  } else {
    result = api_.call("sendMessage", new_message(post, chat, post.is_silent || is_quiet(now.wall)));
  }
  if (!result && !(old && result.error().is_not_modified)) return after_error(post, result.error(), now);
  contact_.reached(Loop::sending, now.wall);
  backoff_.reset();
  auto const message = old ? old : integer(&*result, "message_id");
  record_.change([&](State& state) { note_sent(state, post, message); });
  return {};
}

core::Duration Sender::after_error(Post const& post, CallError const& error, core::ClockReading const& now) {
  if (!error.may_have_arrived) untry(post);
  switch (error.failure) {
    case Failure::too_many: contact_.pause_until(now.uptime + error.retry_after); return error.retry_after;
    case Failure::migrated:
      record_.change([&](State& state) { note_move(state, post.place.chat, error.new_chat); });
      return {};
    case Failure::blocked:
    case Failure::refused: drop(post, error.message); return {};
    case Failure::unauthorized:
      contact_.failed(Loop::sending, "Telegram refuses the token; get a new one from @BotFather");
      return kRefusedTokenWait;
    default: contact_.failed(Loop::sending, "cannot send messages: " + error.message); return backoff_.next();
  }
}

/// A message that cannot be edited any more is sent as a new one.
void Sender::drop(Post const& post, std::string const& why) {
  bool const was_edit = message_to_edit(post) != 0;
  record_.change([&](State& state) {
    auto* const one = find_post(state, post.id);
    if (was_edit && one)
      one->replaces.clear();
    else
      remove_post(state, post.id);
  });
  os::log(os::Level::warning, "telegram: a message to the chat " + std::to_string(post.place.chat) +
                                  (was_edit ? " cannot be edited: " : " is dropped: ") + why);
}

void Sender::untry(Post const& post) {
  record_.change([&](State& state) {
    if (auto* const one = find_post(state, post.id)) one->is_tried = post.is_tried;
  });
}

}  // namespace andon::bridge::telegram
