#include "bridge/telegram/updates.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"

using namespace andon;
using namespace andon::bridge;
using telegram::Request;
using telegram::UpdateReader;

namespace {

Settings const kSettings{
    .chats = {{.place = {-100, 0}, .users = {42}, .board = {}, .worker = {}, .notify = {}},
              {.place = {-100, 7}, .users = {42, 43}, .board = {}, .worker = {}, .notify = {}},
              {.place = {42, 0}, .users = {42}, .board = {}, .worker = {}, .notify = {}}},
    .quiet = {}};

std::optional<Request> read(std::string_view update) {
  UpdateReader reader{kSettings};
  reader.set_bot("andon_bot");
  auto const value = reflect::parse_json(update);
  REQUIRE(value.has_value());
  return reader.read(*value, [](std::int64_t chat) { return chat == -555 ? -100 : chat; });
}

/// A message of user 42 in the chat -100, with members before those.
std::string message(std::string_view with) {
  return R"({"update_id":1,"message":{"message_id":5,)" + std::string{with} +
         R"("chat":{"id":-100,"type":"supergroup"},"from":{"id":42,"is_bot":false}}})";
}

}  // namespace

TEST_CASE("Updates.ATextOfAListedUser") {
  auto const request = read(message(R"("text":"Do it\nwell","reply_to_message":{"message_id":3},)"));
  REQUIRE(request.has_value());
  CHECK(request->message.place == Place{-100, 0});
  CHECK(request->message.user == 42);
  CHECK(request->message.text == "Do it\nwell");
  CHECK(request->replied_id == 3);
  CHECK(request->message.refusal.empty());
  CHECK(request->callback_id.empty());
}

TEST_CASE("Updates.AreOfATopicWhereTheSettingsHaveIt") {
  CHECK(read(message(R"("text":"a","message_thread_id":7,"is_topic_message":true,)"))->message.place ==
        Place{-100, 7});
  CHECK(read(message(R"("text":"a","message_thread_id":8,"is_topic_message":true,)"))->message.place ==
        Place{-100, 0});
  // The thread of a reply in a group without topics.
  CHECK(read(message(R"("text":"a","message_thread_id":7,)"))->message.place == Place{-100, 0});
}

TEST_CASE("Updates.OfAMovedChatCount") {
  auto const request = read(R"({"message":{"message_id":5,"text":"a","chat":{"id":-555},"from":{"id":42}}})");
  REQUIRE(request.has_value());
  CHECK(request->message.place == Place{-100, 0});
}

TEST_CASE("Updates.OfOthersDoNothing") {
  std::vector<std::string> const updates{
      R"({"message":{"text":"a","chat":{"id":-100},"from":{"id":43}}})",  // is on the list of a topic only
      R"({"message":{"text":"a","chat":{"id":-101},"from":{"id":42}}})",
      R"({"message":{"text":"a","chat":{"id":-100},"from":{"id":"42"}}})",
      R"({"message":{"text":"a","chat":{"id":-100},"from":{"id":42.5}}})",
      R"({"message":{"text":"a","chat":{"id":-100}}})",
      R"({"message":{"text":"a","chat":{"id":-100},"from":{"id":42,"is_bot":true}}})",
      R"({"message":{"text":"a","chat":{"id":-100},"from":{"id":-100},"sender_chat":{"id":-100}}})",
      R"({"message":{"text":"a","chat":{"id":-100},"from":{"id":1087968824,"is_bot":true},
          "sender_chat":{"id":-100}}})",
      R"({"message":{"text":"a","from":{"id":42}}})",
      R"({"callback_query":{"id":"9","from":{"id":43},"message":{"message_id":1,"chat":{"id":-100}},"data":"x"}})",
      R"({"callback_query":{"id":"9","from":{"id":42},"inline_message_id":"1","data":"x"}})",
  };
  for (auto const& update : updates) {
    CAPTURE(update);
    CHECK_FALSE(read(update).has_value());
  }
}

TEST_CASE("Updates.OfKindsThatDoNothing") {
  std::vector<std::string> const updates{
      R"({})",
      R"([])",
      R"("text")",
      R"({"message":[]})",
      R"({"edited_message":{"text":"a","chat":{"id":-100},"from":{"id":42}}})",
      R"({"channel_post":{"text":"a","chat":{"id":-100},"sender_chat":{"id":-100}}})",
      R"({"stopped_message_generation":{"chat":{"id":-100},"from":{"id":42}}})",
      message(R"("text":"a","forward_origin":{"type":"user"},)"),
      message(R"("text":"a","forward_date":1,)"),
      message(R"("text":"a","via_bot":{"id":9},)"),
      message(R"("new_chat_members":[{"id":9}],)"),
      message(R"("text":7,)"),
      message(""),
  };
  for (auto const& update : updates) {
    CAPTURE(update);
    CHECK_FALSE(read(update).has_value());
  }
}

TEST_CASE("Updates.WithFilesAreRefusedWithTheirCaption") {
  auto const photo = read(message(R"("photo":[{"file_id":"x"}],"caption":"Look",)"));
  REQUIRE(photo.has_value());
  CHECK(photo->message.refusal == "photo");
  CHECK(photo->message.text == "Look");
  CHECK(read(message(R"("voice":{"file_id":"x"},)"))->message.refusal == "voice");
  CHECK(read(message(R"("document":{},)"))->message.refusal == "document");
}

TEST_CASE("Updates.TextsAreBounded") {
  auto const request = read(message(R"("text":")" + std::string(100'000, 'x') + R"(",)"));
  REQUIRE(request.has_value());
  CHECK(request->message.text.size() == 64U << 10U);
}

TEST_CASE("Updates.APressOfAButton") {
  auto const press = read(R"({"update_id":2,"callback_query":{"id":"77","from":{"id":42},"data":"abc-0",
    "message":{"message_id":6,"chat":{"id":-100},"from":{"id":1,"is_bot":true}}}})");
  REQUIRE(press.has_value());
  CHECK(press->callback_id == "77");
  CHECK(press->handle == "abc-0");
  CHECK(press->message_id == 6);
  CHECK(press->message.place == Place{-100, 0});
  CHECK(press->message.user == 42);
}

TEST_CASE("Updates.ACommandOfAnotherBotIsNone") {
  for (auto const* text : {"/stop@other_bot", "/stop@other_bot all", " /stop@andon_bot2", "/stop@andon"}) {
    CAPTURE(text);
    CHECK_FALSE(read(message(R"("text":")" + std::string{text} + R"(",)")).has_value());
  }
  CHECK_FALSE(read(message(R"("photo":[{}],"caption":"/stop@other_bot",)")).has_value());
}

TEST_CASE("Updates.ACommandOfTheBotLosesItsName") {
  CHECK(read(message(R"("text":"/stop@Andon_Bot all",)"))->message.text == "/stop all");
  CHECK(read(message(R"("text":"/stop@andon_bot\nall",)"))->message.text == "/stop\nall");
  for (auto const* text :
       {"Ask @other_bot", "a/b@other_bot", "/etc/x@other_bot", "/a@b.example", "@other_bot /stop"}) {
    CAPTURE(text);
    CHECK(read(message(R"("text":")" + std::string{text} + R"(",)"))->message.text == text);
  }
}
