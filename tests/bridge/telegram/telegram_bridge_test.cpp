#include "bridge/telegram/telegram_bridge.hpp"

#include <doctest/doctest.h>

#include "bridge/telegram/world.hpp"

using namespace andon;
using namespace std::chrono_literals;
using bridge::OutMessage;
using bridge::Place;
using test::kAgain;
using test::kGroup;
using test::kUser;
using test::Texts;
using test::World;

namespace {

OutMessage news(std::string const& text, std::int64_t chat = kUser) {
  return {.place = {chat, 0}, .text = {{text}}, .news = text};
}

}  // namespace

TEST_CASE("TelegramBridge.TakesAMessageAndAnswers") {
  World world;
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(2);
  CHECK(world.board.effects == Texts{"paint"});
  CHECK(world.telegram.texts(kUser) == Texts{"did paint"});
  auto const& sent = world.telegram.messages.at(0).parameters;
  CHECK(sent.at("parse_mode") == "HTML");
  CHECK(sent.at("link_preview_options").at("is_disabled") == true);
  CHECK_FALSE(sent.contains("disable_notification"));
  CHECK_FALSE(world.telegram.has_updates());
  auto const status = world.bridge().status();
  CHECK(status.bot == "andon_bot");
  CHECK(status.wrong.empty());
  CHECK(status.waiting == 0);
  CHECK(status.last_contact.has_value());
}

TEST_CASE("TelegramBridge.AReplyIsAboutTheMessageItAnswers") {
  World world;
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(2);
  world.telegram.push_text(kUser, kUser, "red", world.telegram.messages.at(0).id);
  world.telegram.push_text(kUser, kUser, "blue", 777);
  world.rounds(2);
  CHECK(world.board.effects == Texts{"paint", "red about task paint", "blue"});
}

TEST_CASE("TelegramBridge.AButtonWorksOnce") {
  World world;
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(2);
  auto const message = world.telegram.messages.at(0);
  REQUIRE(message.handles.size() == 2);
  CHECK(message.handles[0].size() <= 64);
  world.telegram.press(message, 0, kUser);
  world.telegram.press(message, 0, kUser);
  world.telegram.press(message, 1, kUser);
  world.rounds(2);
  CHECK(world.board.effects == Texts{"paint", "undo paint"});
  CHECK(world.telegram.messages.at(0).handles.empty());
  REQUIRE(world.telegram.presses_answered.size() == 3);
  CHECK_FALSE(world.telegram.presses_answered[0].contains("text"));
  CHECK(world.telegram.presses_answered[1].contains("text"));
  CHECK(world.telegram.presses_answered[2].contains("text"));
}

TEST_CASE("TelegramBridge.AButtonIsBoundToItsChatAndExpires") {
  World world;
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(2);
  auto const message = world.telegram.messages.at(0);
  world.telegram.press(kGroup, message.id, message.handles[0], kUser);
  world.telegram.press(kUser, message.id, "forged-0", kUser);
  world.rounds(2);
  CHECK(world.board.effects == Texts{"paint"});
  world.clock.advance(7 * 24h);
  world.telegram.press(message, 0, kUser);
  world.rounds(2);
  CHECK(world.board.effects == Texts{"paint"});
  CHECK(world.telegram.presses_answered.size() == 3);
}

TEST_CASE("TelegramBridge.StrangersGetNoAnswer") {
  World world;
  world.telegram.push_text(kUser, 666, "paint");
  world.telegram.push_text(666, 666, "paint");
  world.rounds(3);
  CHECK(world.board.effects.empty());
  CHECK(world.telegram.messages.empty());
  CHECK_FALSE(world.telegram.has_updates());
}

TEST_CASE("TelegramBridge.ObeysNoCommandOfAnotherBot") {
  World world;
  world.telegram.push_text(kGroup, kUser, "/stop@other_bot");
  world.telegram.push_text(kGroup, kUser, "/stop@ANDON_bot all");
  world.rounds(3);
  CHECK(world.board.effects == Texts{"/stop all"});
  CHECK_FALSE(world.telegram.has_updates());
}

TEST_CASE("TelegramBridge.AnUpdateThatComesAgainDoesNothing") {
  World world;
  world.telegram.push_text(kUser, kUser, "paint");
  world.telegram.repeat_last();
  world.rounds(3);
  CHECK(world.board.effects == Texts{"paint"});
  CHECK(world.telegram.messages.size() == 1);
}

TEST_CASE("TelegramBridge.PassesOverAMessageThatIsTooLarge") {
  std::string const large(9U << 20U, 'x');
  World world;
  world.telegram.push_text(kUser, kUser, large);
  world.telegram.push_text(kUser, kUser, "one");
  for (int i = 0; i < 3; ++i) world.telegram.push_text(kUser, kUser, large);
  world.telegram.push_text(kUser, kUser, "two");
  world.rounds(15);
  CHECK(world.board.effects == Texts{"one", "two"});
  CHECK(world.bridge().status().wrong.empty());
  CHECK_FALSE(world.telegram.has_updates());
}

TEST_CASE("TelegramBridge.PassesOverAMessageThatHidesItsId") {
  World world;
  world.telegram.has_ids_last = true;
  world.telegram.push_text(kUser, kUser, "one");
  world.rounds(2);
  world.telegram.push_text(kUser, kUser, std::string(9U << 20U, 'x'));
  world.telegram.push_text(kUser, kUser, "two");
  world.rounds(8);
  CHECK(world.board.effects == Texts{"one", "two"});
}

TEST_CASE("TelegramBridge.FollowsIdsThatBeginAnew") {
  World world;
  world.telegram.push_text(kUser, kUser, "one");
  world.rounds(3);
  world.telegram.begin_ids_anew(17);
  world.telegram.push_text(kUser, kUser, "two");
  world.telegram.push_text(kUser, kUser, "three");
  world.rounds(3);
  CHECK(world.board.effects == Texts{"one", "two", "three"});
}

TEST_CASE("TelegramBridge.EditsAMessageThatIsReplaced") {
  World world;
  world.board.events = {{.place = {kUser, 0}, .text = {{"10 %"}}, .news = "n", .key = "run 1"}};
  world.rounds(2);
  world.board.events.push_back({.place = {kUser, 0},
                                .text = {{"90 %"}},
                                .buttons = {{{"Stop", "stop 1"}}},
                                .news = "n",
                                .replaces = "run 1",
                                .key = "run 1"});
  world.rounds(2);
  CHECK(world.telegram.texts(kUser) == Texts{"90 %"});
  CHECK(world.telegram.messages.at(0).handles.size() == 1);
  world.telegram.faults.push_back(
      {"editMessageText", 400, R"({"ok":false,"error_code":400,"description":"message can't be edited"})"});
  world.board.events.push_back(
      {.place = {kUser, 0}, .text = {{"done"}}, .news = "n", .replaces = "run 1", .key = "run 1"});
  world.rounds(3);
  CHECK(world.telegram.texts(kUser) == Texts{"90 %", "done"});
}

TEST_CASE("TelegramBridge.AReplacedMessageThatStillWaitsIsNeverSent") {
  World world;
  world.board.events = {
      {.place = {kUser, 0}, .text = {{"10 %"}}, .news = "n", .key = "run 1"},
      {.place = {kUser, 0}, .text = {{"90 %"}}, .news = "n", .replaces = "run 1", .key = "run 1"}};
  world.rounds(2);
  CHECK(world.telegram.texts(kUser) == Texts{"90 %"});
}

TEST_CASE("TelegramBridge.FoldsNewsThatWaits") {
  World world;
  world.bridge();
  for (int i = 1; i <= 12; ++i) world.board.events.push_back(news("news " + std::to_string(i)));
  for (int i = 0; i < 5; ++i) world.bridge().news(world.clock.reading());
  CHECK(world.bridge().status().waiting == 2);
  world.rounds(2);
  auto const texts = world.telegram.texts(kUser);
  REQUIRE(texts.size() == 2);
  CHECK(texts[0].starts_with("<b>While you were away</b>\n• news 1\n• news 2\n"));
  CHECK(texts[0].ends_with("• news 11"));
  CHECK(texts[1] == "news 12");
}

TEST_CASE("TelegramBridge.ASummaryHoldsNoCommandsOfOthers") {
  World world;
  world.settings.digest = 15min;
  world.board.events = {news("/stop"), news("evil.example <b>")};
  world.rounds(2);
  world.clock.advance(15min);
  world.rounds(2);
  CHECK(world.telegram.texts(kUser) ==
        Texts{"<b>While you were away</b>\n• /\u2060stop\n• evil.\u2060example &lt;b&gt;"});
}

TEST_CASE("TelegramBridge.CollectsNewsForADigest") {
  World world;
  world.settings.digest = 15min;
  world.board.events = {news("a"), news("b"), news("c", kGroup)};
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(3);
  CHECK(world.telegram.texts(kUser) == Texts{"did paint"});
  world.clock.advance(15min);
  world.rounds(2);
  CHECK(world.telegram.texts(kUser) == Texts{"did paint", "<b>While you were away</b>\n• a\n• b"});
  CHECK(world.telegram.texts(kGroup) == Texts{"c"});
}

TEST_CASE("TelegramBridge.NewsWithButtonsWaitsForADigestAndKeepsThem") {
  World world;
  world.settings.digest = 15min;
  auto const asked = [](std::string const& text) {
    auto out = news(text);
    out.buttons = {{{"Accept", "accept " + text}}};
    return out;
  };
  world.board.events = {news("a"), asked("b"), news("c"), asked("d")};
  world.rounds(4);
  CHECK(world.telegram.messages.empty());
  world.clock.advance(15min);
  world.rounds(4);
  CHECK(world.telegram.texts(kUser) == Texts{"<b>While you were away</b>\n• a\n• c", "b", "d"});
  CHECK(world.telegram.messages.at(2).handles.size() == 1);
}

TEST_CASE("TelegramBridge.IsSilentInQuietHours") {
  World world;  // the clock stands at 08:00 UTC
  world.settings.quiet = core::QuietHours{"07:00", "09:00", ""};
  world.board.events = {news("a"), news("b")};
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(3);
  REQUIRE(world.telegram.texts(kUser) == Texts{"did paint"});
  CHECK(world.telegram.messages[0].parameters.at("disable_notification") == true);
  world.clock.advance(1h);
  world.rounds(2);
  REQUIRE(world.telegram.texts(kUser).size() == 2);
  CHECK(world.telegram.messages[1].text == "<b>While you were away</b>\n• a\n• b");
  CHECK_FALSE(world.telegram.messages[1].parameters.contains("disable_notification"));
}

TEST_CASE("TelegramBridge.NewsThatWaitsFollowsThePresentSettings") {
  struct Row {
    std::optional<core::QuietHours> quiet;
    core::Duration digest;
    core::Duration wait;
  };
  for (auto const& row : {Row{std::nullopt, {}, {}}, Row{std::nullopt, 10min, 10min},
                          Row{core::QuietHours{"07:00", "08:30", ""}, {}, 30min},
                          Row{core::QuietHours{"07:00", "20:00", ""}, 10min, 12h}}) {
    World world;  // the clock stands at 08:00 UTC
    world.settings.quiet = core::QuietHours{"07:00", "12:00", ""};
    world.board.events = {news("a"), news("b")};
    world.rounds(3);
    CHECK(world.telegram.messages.empty());
    world.settings.quiet = row.quiet;
    world.settings.digest = row.digest;
    world.start();
    if (row.wait > core::Duration{}) {
      world.clock.advance(row.wait - 10s);
      world.start();
      world.round();
      CHECK(world.telegram.messages.empty());
    }
    world.clock.advance(row.wait > core::Duration{} ? row.digest + 10s : 0s);
    world.rounds(2);
    CHECK(world.telegram.texts(kUser) == Texts{"<b>While you were away</b>\n• a\n• b"});
  }
}

TEST_CASE("TelegramBridge.FollowedOutputWaitsForNoDigest") {
  World world;
  world.settings.digest = 15min;
  world.board.events = {{.place = {kUser, 0}, .text = {{"line"}}, .replaces = "output 1", .key = "output 1"}};
  world.rounds(2);
  CHECK(world.telegram.texts(kUser) == Texts{"line"});
}

TEST_CASE("TelegramBridge.WaitsWithEverythingAsLongAsTelegramSays") {
  World world;
  world.telegram.push_text(kUser, kUser, "paint");
  world.telegram.faults.push_back(
      {"sendMessage", 429, R"({"ok":false,"error_code":429,"parameters":{"retry_after":35}})"});
  world.round();
  auto const calls = world.telegram.methods.size();
  world.rounds(34);
  CHECK(world.telegram.methods.size() == calls);
  world.rounds(2);
  CHECK(world.telegram.texts(kUser) == Texts{"did paint"});
}

TEST_CASE("TelegramBridge.ARefusedMessageDoesNotHoldOthers") {
  World world;
  world.board.events = {news("bad"), news("good")};
  world.telegram.faults.push_back(
      {"sendMessage", 400, R"({"ok":false,"error_code":400,"description":"can't parse entities"})"});
  world.rounds(3);
  CHECK(world.telegram.texts(kUser) == Texts{"good"});
  CHECK(world.bridge().status().waiting == 0);
}

TEST_CASE("TelegramBridge.ABlockedChatDoesNotHoldOthers") {
  World world;
  world.board.events = {news("mine"), news("ours", kGroup)};
  world.telegram.faults.push_back(
      {"sendMessage", 403, R"({"ok":false,"error_code":403,"description":"bot was blocked by the user"})"});
  world.rounds(3);
  CHECK(world.telegram.texts(kUser).empty());
  CHECK(world.telegram.texts(kGroup) == Texts{"ours"});
}

TEST_CASE("TelegramBridge.KeepsOrderAndLosesNothingInTrouble") {
  World world;
  world.board.events = {news("a"), news("b"), news("c")};
  for (int const status : {502, -1, 0}) world.telegram.faults.push_back({"sendMessage", status, "<html>"});
  world.round();
  CHECK(world.bridge().status().waiting == 3);
  CHECK(world.bridge().status().wrong.size() == 1);
  world.rounds(100);
  auto const texts = world.telegram.texts(kUser);
  CHECK(texts == Texts{std::string{kAgain} + "a", "b", "c"});
  CHECK(world.bridge().status().wrong.empty());
}

TEST_CASE("TelegramBridge.SurelyUnsentMessagesCarryNoMark") {
  World world;
  world.board.events = {news("a")};
  world.telegram.faults.push_back({"sendMessage", -1, ""});
  world.rounds(3);
  CHECK(world.telegram.texts(kUser) == Texts{"a"});
}

TEST_CASE("TelegramBridge.FollowsAGroupToItsNewId") {
  World world;
  world.board.events = {news("a", kGroup)};
  world.telegram.faults.push_back({"sendMessage", 400,
                                   R"({"ok":false,"error_code":400,"description":"upgraded",
                                       "parameters":{"migrate_to_chat_id":-1005}})"});
  world.rounds(3);
  CHECK(world.telegram.texts(-1005) == Texts{"a"});
  world.telegram.push_text(-1005, kUser, "paint");
  world.rounds(3);
  CHECK(world.telegram.texts(-1005) == Texts{"a", "did paint"});
}

TEST_CASE("TelegramBridge.ListensToAGroupThatSaysItsNewId") {
  World world;
  world.telegram.push({{"message",
                        {{"message_id", 900},
                         {"chat", {{"id", kGroup}}},
                         {"from", {{"id", kUser}}},
                         {"migrate_to_chat_id", -1005}}}});
  world.telegram.push(
      {{"message", {{"message_id", 901}, {"chat", {{"id", -666}}}, {"migrate_to_chat_id", -667}}}});
  world.telegram.push_text(-1005, kUser, "paint");
  world.telegram.push_text(-667, kUser, "burn");
  world.rounds(3);
  CHECK(world.board.effects == Texts{"paint"});
  CHECK(world.telegram.texts(-1005) == Texts{"did paint"});
}

TEST_CASE("TelegramBridge.EveryAnswerIsAContact") {
  World world;
  world.telegram.faults.push_back({"getUpdates", -1, ""});
  world.bridge().receive(world.clock.reading());
  CHECK(world.bridge().status().last_contact == world.clock.reading().wall);
  CHECK(world.bridge().status().wrong.size() == 1);
  world.clock.advance(10s);
  world.board.events = {news("a")};
  world.bridge().news(world.clock.reading());
  world.bridge().send(world.clock.reading());
  CHECK(world.bridge().status().last_contact == world.clock.reading().wall);
}

TEST_CASE("TelegramBridge.DeletesAWebhookOnce") {
  World world;
  std::string const conflict =
      R"({"ok":false,"error_code":409,"description":"can't use getUpdates method while webhook is active"})";
  world.telegram.faults.push_back({"getUpdates", 409, conflict});
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(3);
  CHECK(std::ranges::count(world.telegram.methods, "deleteWebhook") == 1);
  CHECK(world.board.effects == Texts{"paint"});
  world.telegram.faults.push_back({"getUpdates", 409, conflict});
  CHECK(world.bridge().receive(world.clock.reading()) == 60s);
  CHECK(std::ranges::count(world.telegram.methods, "deleteWebhook") == 1);
  CHECK(world.bridge().status().wrong.size() == 1);
}

TEST_CASE("TelegramBridge.DoesNotFightAnotherPoller") {
  World world;
  world.telegram.faults.push_back(
      {"getUpdates", 409,
       R"({"ok":false,"error_code":409,"description":"terminated by other getUpdates request"})"});
  CHECK(world.bridge().receive(world.clock.reading()) == 60s);
  REQUIRE(world.bridge().status().wrong.size() == 1);
  CHECK(world.bridge().status().wrong[0].find("another program") != std::string::npos);
  world.round();
  CHECK(world.bridge().status().wrong.empty());
}

TEST_CASE("TelegramBridge.SaysThatTheTokenIsRefused") {
  World world;
  world.telegram.faults.push_back({"getMe", 401, R"({"ok":false,"error_code":401})"});
  CHECK(world.bridge().receive(world.clock.reading()) == 60s);
  CHECK(world.bridge().status().wrong.size() == 1);
}

TEST_CASE("TelegramBridge.AReplyWaitsUntilItsMessageIsRecorded") {
  World world;
  world.telegram.push_text(kUser, kUser, "one");
  bool is_replied = false;
  world.telegram.point = [&] {
    if (is_replied || world.telegram.messages.empty()) return;
    is_replied = true;
    world.telegram.push_text(kUser, kUser, "green", world.telegram.messages.front().id);
    world.bridge().receive(world.clock.reading());
  };
  world.rounds(4);
  CHECK(world.board.effects == Texts{"one", "green about task one"});
}

TEST_CASE("TelegramBridge.AReplyToAMessageThatIsNeverRecordedIsALine") {
  World world;
  world.telegram.push_text(kUser, kUser, "one");
  world.telegram.faults.assign(100, {.method = "sendMessage", .status = 0, .body = {}, .has_effect = false});
  world.rounds(3);
  REQUIRE(world.telegram.messages.empty());
  world.telegram.push_text(kUser, kUser, "green", 77);
  world.telegram.push_text(kUser, kUser, "two");
  world.rounds(5);
  CHECK(world.board.effects == Texts{"one"});
  world.rounds(10);
  CHECK(world.board.effects == Texts{"one", "green", "two"});
}

TEST_CASE("TelegramBridge.OffersToAnswerByAReply") {
  World world;
  world.board.events = {
      {.place = {kUser, 0}, .text = {{"Which?"}}, .about = "question 4", .asks = true, .news = "q"}};
  world.rounds(2);
  CHECK(world.telegram.messages.at(0).parameters.at("reply_markup").at("force_reply") == true);
}

TEST_CASE("TelegramBridge.TakesNothingInWhileTheOutboxIsFull") {
  World world;
  world.board.answers_to_each = 500;
  world.telegram.push_text(kUser, kUser, "paint");
  world.bridge().receive(world.clock.reading());
  auto const calls = world.telegram.methods.size();
  CHECK(world.bridge().receive(world.clock.reading()) == 1s);
  CHECK(world.telegram.methods.size() == calls);
}

TEST_CASE("TelegramBridge.SetsADamagedStateAside") {
  World world;
  os::write_file(world.file(), "{\"schema\": 1, \"offset\": ");
  world.telegram.push_text(kUser, kUser, "paint");
  world.rounds(2);
  CHECK(world.board.effects == Texts{"paint"});
  CHECK(std::filesystem::exists(world.file().native() + ".aside"));
}
