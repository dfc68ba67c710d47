#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "bridge/telegram/bot_api.hpp"

namespace andon::test {

/// A Bot API in memory: updates with the semantics of offsets, messages of chats, and faults in order.
class FakeBotApi {
 public:
  struct Message {
    std::int64_t id = 0;
    std::int64_t chat = 0;
    std::string text;
    boost::json::object parameters;  ///< of the call that sent or last edited it
    std::vector<std::string> handles;
  };
  /// What the next call of a method gets instead of its answer.
  struct Fault {
    std::string method;
    int status = 0;  ///< 0 for a cut connection
    std::string body;
    bool has_effect = false;
  };

  std::vector<Message> messages;
  std::deque<Fault> faults;
  std::vector<boost::json::object> presses_answered;
  std::vector<std::string> methods;     ///< of all calls
  std::function<void()> point = [] {};  ///< is called where a process may die

  bool has_ids_last = false;  ///< updates do not begin with their ids

  void push(boost::json::object update) {
    boost::json::object whole;
    if (!has_ids_last) whole["update_id"] = next_update_;
    for (auto& [name, value] : update) whole[name] = std::move(value);
    whole["update_id"] = next_update_++;
    updates_.push_back(std::move(whole));
  }
  void push_text(std::int64_t chat, std::int64_t user, std::string_view text, std::int64_t reply_to = 0) {
    boost::json::object message{
        {"message_id", next_message_++}, {"chat", {{"id", chat}}}, {"from", {{"id", user}}}, {"text", text}};
    if (reply_to) message["reply_to_message"] = {{"message_id", reply_to}};
    push({{"message", message}});
  }
  void press(Message const& message, std::size_t button, std::int64_t user) {
    press(message.chat, message.id, message.handles.at(button), user);
  }
  void press(std::int64_t chat, std::int64_t message, std::string const& handle, std::int64_t user) {
    push({{"callback_query",
           {{"id", "q" + std::to_string(next_update_)},
            {"from", {{"id", user}}},
            {"message", {{"message_id", message}, {"chat", {{"id", chat}}}}},
            {"data", handle}}}});
  }
  /// Delivers the last update once more, with its id.
  void repeat_last() { updates_.push_back(updates_.back()); }
  bool has_updates() const { return !updates_.empty(); }
  void begin_ids_anew(std::int64_t id) { next_update_ = id; }

  std::vector<std::string> texts(std::int64_t chat) const {
    std::vector<std::string> out;
    for (auto const& message : messages)
      if (message.chat == chat) out.push_back(message.text);
    return out;
  }

  std::expected<os::IncomingAnswer, os::NoAnswerReason> operator()(os::OutgoingRequest const& request) {
    auto const method = request.url.substr(request.url.rfind('/') + 1);
    methods.push_back(method);
    point();
    auto const fault = std::ranges::find(faults, method, &Fault::method);
    if (fault != faults.end()) {
      auto const taken = *fault;
      faults.erase(fault);
      if (taken.has_effect) answer(method, request.body);
      if (taken.status == 0) return std::unexpected(os::NoAnswerReason{os::NoAnswer::broken, "cut"});
      if (taken.status < 0) return std::unexpected(os::NoAnswerReason{os::NoAnswer::unreachable, "down"});
      return os::IncomingAnswer{taken.status, taken.body};
    }
    boost::json::object envelope{{"ok", true}, {"result", answer(method, request.body)}};
    point();
    auto text = boost::json::serialize(envelope);
    if (text.size() > request.most_bytes)
      return std::unexpected(os::NoAnswerReason{os::NoAnswer::too_large, "too large", text.substr(0, 256)});
    return os::IncomingAnswer{200, std::move(text)};
  }

 private:
  boost::json::value answer(std::string const& method, std::string const& body) {
    auto const parameters = boost::json::parse(body).as_object();
    if (method == "getMe") return {{"id", 123456}, {"username", "andon_bot"}};
    if (method == "getUpdates")
      return give_updates(parameters.at("offset").as_int64(), parameters.at("limit").as_int64());
    if (method == "sendMessage") return send(parameters);
    if (method == "editMessageText") return edit(parameters);
    if (method == "editMessageReplyMarkup") return edit_buttons(parameters);
    if (method == "answerCallbackQuery") presses_answered.push_back(parameters);
    return true;
  }

  boost::json::value give_updates(std::int64_t offset, std::int64_t limit) {
    // As the real server, it takes an offset beyond its last update for none: its ids began anew.
    if (offset <= next_update_)
      std::erase_if(updates_, [&](auto const& update) { return update.at("update_id").as_int64() < offset; });
    boost::json::array out;
    for (auto const& update : updates_)
      if (static_cast<std::int64_t>(out.size()) < limit) out.push_back(update);
    return out;
  }

  boost::json::value send(boost::json::object const& parameters) {
    Message message{.id = next_message_++,
                    .chat = parameters.at("chat_id").as_int64(),
                    .text = std::string{parameters.at("text").as_string()},
                    .parameters = parameters,
                    .handles = handles_of(parameters)};
    messages.push_back(message);
    return {{"message_id", message.id}};
  }

  boost::json::value edit(boost::json::object const& parameters) {
    for (auto& message : messages)
      if (message.id == parameters.at("message_id").as_int64()) {
        message.text = std::string{parameters.at("text").as_string()};
        message.parameters = parameters;
        message.handles = handles_of(parameters);
      }
    return {{"message_id", parameters.at("message_id")}};
  }

  boost::json::value edit_buttons(boost::json::object const& parameters) {
    for (auto& message : messages)
      if (message.id == parameters.at("message_id").as_int64()) message.handles = handles_of(parameters);
    return true;
  }

  static std::vector<std::string> handles_of(boost::json::object const& parameters) {
    std::vector<std::string> out;
    auto const* const markup = parameters.if_contains("reply_markup");
    auto const* const rows = markup ? markup->as_object().if_contains("inline_keyboard") : nullptr;
    if (!rows) return out;
    for (auto const& row : rows->as_array())
      for (auto const& button : row.as_array())
        out.emplace_back(button.as_object().at("callback_data").as_string());
    return out;
  }

  std::vector<boost::json::object> updates_;
  std::int64_t next_update_ = 1000;
  std::int64_t next_message_ = 1;
};

}  // namespace andon::test
