#include "bridge/conversation/chat_app.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"

namespace andon::test {
namespace {

bridge::Chat chat_of(std::int64_t chat, std::string board, std::string worker, bool start) {
  bridge::Chat out;
  out.place.chat = chat;
  out.users = {5};
  out.board = std::move(board);
  out.worker = std::move(worker);
  out.start = start;
  for (auto const kind : bridge::kNewsKinds) out.notify.emplace_back(kind);
  return out;
}

}  // namespace

ChatApp::ChatApp() : app("queue") {
  app.call<&service::create_board>({{}, "other", "queue"});
  app.add_worker("developer", {.title = "Developer"});
  app.add_worker("tester", {.role = "tester"});
  settings.chats = {chat_of(77, "queue", "", false), chat_of(88, "queue", "developer", true),
                    chat_of(99, "other", "", false)};
  app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  skip_news();
}

bridge::InMessage ChatApp::message(std::string key, std::string_view text, std::int64_t chat) const {
  bridge::InMessage out;
  out.key = std::move(key);
  out.place.chat = chat;
  out.user = 5;
  out.text = text;
  return out;
}

std::vector<bridge::OutMessage> ChatApp::say(std::string_view text, std::int64_t chat) {
  return take(message("m" + std::to_string(++keys), text, chat));
}

bridge::OutMessage ChatApp::one(std::string_view text, std::int64_t chat) {
  auto out = say(text, chat);
  REQUIRE(out.size() == 1);
  return out.front();
}

std::string ChatApp::answer(std::string_view text, std::int64_t chat) { return shown(one(text, chat)); }

std::string ChatApp::press(std::string_view act, std::int64_t chat) {
  auto pressed = message("m" + std::to_string(++keys), {}, chat);
  pressed.act = act;
  auto const out = take(pressed);
  REQUIRE(out.size() == 1);
  return shown(out.front());
}

std::string ChatApp::reply(std::string_view about, std::string_view text, std::int64_t chat) {
  auto replied = message("m" + std::to_string(++keys), text, chat);
  replied.about = about;
  auto const out = take(replied);
  REQUIRE(out.size() == 1);
  return shown(out.front());
}

std::vector<bridge::OutMessage> ChatApp::news(std::int64_t chat) {
  auto told = conversation.news_since(place);
  REQUIRE(told);
  place = told->place;
  std::erase_if(told->messages, [&](auto const& message) { return message.place.chat != chat; });
  return told->messages;
}

void ChatApp::skip_news() {
  auto const told = conversation.news_since({});
  REQUIRE(told);
  CHECK(told->messages.empty());
  place = told->place;
}

std::vector<std::string> ChatApp::headlines(std::int64_t chat) {
  std::vector<std::string> out;
  for (auto const& message : news(chat)) out.push_back(message.news);
  return out;
}

std::string shown(bridge::OutMessage const& message) {
  std::string out;
  for (auto const& span : message.text) out += span.text;
  for (auto const& row : message.buttons) {
    out += "\n";
    for (auto const& button : row) out += "[" + button.label + "]";
  }
  return out;
}

std::string act_of(bridge::OutMessage const& message, std::string_view label) {
  for (auto const& row : message.buttons)
    for (auto const& button : row)
      if (button.label == label) return button.act;
  FAIL("no button " << label << " in " << shown(message));
  return {};
}

std::vector<std::string> labels_of(bridge::OutMessage const& message) {
  std::vector<std::string> out;
  for (auto const& row : message.buttons)
    for (auto const& button : row) out.push_back(button.label);
  return out;
}

}  // namespace andon::test
