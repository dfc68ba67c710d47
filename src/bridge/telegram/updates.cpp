#include "bridge/telegram/updates.hpp"

#include <algorithm>
#include <array>

#include "bridge/telegram/json_fields.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "os/processes/log.hpp"

namespace andon::bridge::telegram {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestText = 64U << 10U;
constexpr std::size_t kLongestHandle = 64;  // bytes of callback_data
constexpr std::size_t kMostStrangers = 1000;
constexpr std::string_view kWordEnds = " \t\r\n";

/// The kinds of content that a message has instead of text, in words for its author. The first row that fits
/// counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kUntaken{{{"voice", "voice"},
                                                                                 {"audio", "audio"},
                                                                                 {"photo", "photo"},
                                                                                 {"document", "document"},
                                                                                 {"video", "video"},
                                                                                 {"video_note", "video"},
                                                                                 {"sticker", "sticker"},
                                                                                 {"location", "location"},
                                                                                 {"contact", "contact"}}};

/// Members that only a message has which somebody else wrote.
constexpr std::array<std::string_view, 7> kForeign{
    "forward_origin", "forward_from", "forward_from_chat", "forward_date", "forward_sender_name",
    "sender_chat",    "via_bot"};

bool is_own_message(json::value const& message) {
  return std::ranges::none_of(kForeign, [&](auto name) { return member(&message, name) != nullptr; }) &&
         !is_true(&message, "is_automatic_forward");
}

/// The place of a message; the thread only where the chat has topics, since answers in other groups have
/// a `message_thread_id` too.
Place place_of(json::value const& message) {
  auto const chat = integer(member(&message, "chat"), "id");
  bool const is_topic = is_true(&message, "is_topic_message");
  return {chat, is_topic ? integer(&message, "message_thread_id") : 0};
}

std::string_view untaken_kind(json::value const& message) {
  for (auto const& [name, words] : kUntaken)
    if (member(&message, name)) return words;
  return {};
}

/// A message of the text; nothing for one that holds nothing for the board, such as "ann joined".
std::optional<Request> request_of(json::value const& message) {
  Request out;
  out.message.refusal = untaken_kind(message);
  auto const words = text(&message, out.message.refusal.empty() ? "text" : "caption");
  if (words.empty() && out.message.refusal.empty()) return std::nullopt;
  out.message.text = core::beginning(words, kLongestText);
  out.replied_id = integer(member(&message, "reply_to_message"), "message_id");
  return out;
}

bool is_plain_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return core::is_ascii_alphanumeric(c) || c == '_'; });
}

/// Takes the bot's name out of `/command@bot`. False for a command of another bot.
bool take_address(std::string& text, std::string_view bot) {
  auto const begin = std::min(text.find_first_not_of(kWordEnds), text.size());
  auto const end = std::min(text.find_first_of(kWordEnds, begin), text.size());
  auto const word = std::string_view{text}.substr(begin, end - begin);
  auto const at = word.find('@');
  if (!word.starts_with('/') || at == std::string_view::npos) return true;
  auto const name = word.substr(at + 1);
  if (!is_plain_word(word.substr(1, at - 1)) || !is_plain_word(name)) return true;
  if (!core::is_ascii_equal(name, bot)) return false;
  text.erase(begin + at, name.size() + 1);
  return true;
}

std::optional<Request> request_of_press(json::value const& query, json::value const& message) {
  Request out{.message = {},
              .message_id = integer(&message, "message_id"),
              .callback_id = std::string{text(&query, "id")},
              .handle = std::string{text(&query, "data")}};
  if (out.callback_id.empty() || out.handle.empty() || out.handle.size() > kLongestHandle)
    return std::nullopt;
  return out;
}

}  // namespace

Place UpdateReader::listed(Place place) const {
  auto const is_there = [&](Place const& one) {
    return std::ranges::any_of(settings_.chats, [&](Chat const& chat) { return chat.place == one; });
  };
  if (!is_there(place)) place.thread = 0;
  return place;
}

bool UpdateReader::is_allowed(Place const& place, std::int64_t user) {
  bool const is_known = std::ranges::any_of(settings_.chats, [&](Chat const& chat) {
    return chat.place == place && std::ranges::find(chat.users, user) != chat.users.end();
  });
  if (!is_known && strangers_.size() < kMostStrangers && strangers_.insert({place.chat, user}).second)
    os::log(os::Level::info, "telegram: the user " + std::to_string(user) + " in the chat " +
                                 std::to_string(place.chat) + " is not on the lists of telegram.json");
  return is_known;
}

std::optional<UpdateReader::Move> UpdateReader::move_of(json::value const& update) const {
  auto const* const message = member(&update, "message");
  Move const move{integer(member(message, "chat"), "id"), integer(message, "migrate_to_chat_id")};
  bool const is_listed =
      std::ranges::any_of(settings_.chats, [&](Chat const& chat) { return chat.place.chat == move.from; });
  if (!is_listed || move.to == 0) return std::nullopt;
  return move;
}

std::optional<Request> UpdateReader::read(json::value const& update,
                                          std::function<std::int64_t(std::int64_t)> const& chat_of) {
  auto const* const query = member(&update, "callback_query");
  auto const* const message = query ? member(query, "message") : member(&update, "message");
  auto const* const from = member(query ? query : message, "from");
  auto const user = integer(from, "id");
  if (!message || user <= 0 || is_true(from, "is_bot")) return std::nullopt;
  auto place = place_of(*message);
  place.chat = chat_of(place.chat);
  place = listed(place);
  if (!query && !is_own_message(*message)) return std::nullopt;
  if (place.chat == 0 || !is_allowed(place, user)) return std::nullopt;
  auto request = query ? request_of_press(*query, *message) : request_of(*message);
  if (!request || !take_address(request->message.text, bot_)) return std::nullopt;
  request->message.place = place;
  request->message.user = user;
  return request;
}

}  // namespace andon::bridge::telegram
