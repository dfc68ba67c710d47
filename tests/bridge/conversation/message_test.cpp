#include <doctest/doctest.h>

#include "bridge/conversation/chat_app.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::test {

TEST_CASE("Conversation.TextBecomesATaskInTheBacklog") {
  ChatApp chat;
  auto const said = chat.one("Fix the login\nIt fails.");
  CHECK(shown(said) == "Added #1 Fix the login.\nIt is in pending.\n[Approve]");
  CHECK(said.about == "task 1");
  CHECK(said.news.empty());
  auto const task = chat.app.get(1);
  CHECK(task.board == "queue");
  CHECK(task.title == "Fix the login");
  CHECK(task.body == "It fails.");
  CHECK(task.source == "telegram");
  CHECK(task.created_by == "telegram:77");
  CHECK_FALSE(task.approved);
}

TEST_CASE("Conversation.TopicOfAChatIsAnActorOfItsOwn") {
  ChatApp chat;
  chat.settings.chats[0].place.thread = 4;
  auto message = chat.message("a", "Do it");
  message.place.thread = 4;
  REQUIRE(chat.take(message).size() == 1);
  CHECK(chat.app.get(1).created_by == "telegram:77/4");
}

TEST_CASE("Conversation.ChatThatStartsSaysWhoHasTheTask") {
  ChatApp chat;
  CHECK(chat.answer("First", 88) == "Added #1 First.\nDeveloper has it.");
  auto const task = chat.app.get(1);
  CHECK(task.assignee == "developer");
  CHECK(task.stage == core::Stage::ready);
  CHECK(task.approved);
  chat.app.start("developer");
  CHECK(chat.answer("Second", 88) == "Added #2 Second.\nDeveloper works on #1; this one waits.");
  CHECK(chat.answer("/stop", 88).starts_with("Stopped"));
  CHECK(chat.answer("Third", 88).find("It waits:") != std::string::npos);
}

TEST_CASE("Conversation.RepeatedMessageHasNoSecondEffectAndTheSameAnswer") {
  ChatApp chat;
  auto const message = chat.message("again", "Do it", 88);
  auto const first = chat.take(message), second = chat.take(message);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(shown(first.front()) == shown(second.front()));
  CHECK(chat.app.create("next").id == 2);
}

TEST_CASE("Conversation.StrangePlaceIsNotAnswered") {
  ChatApp chat;
  CHECK(chat.say("Do it", 1).empty());
  CHECK(chat.say("/board", 1).empty());
  CHECK(chat.app.create("first").id == 1);
}

TEST_CASE("Conversation.TextWithoutContentMakesNoTask") {
  ChatApp chat;
  CHECK(chat.answer(" \u200b ") == "This message has no text to make a task of.");
  CHECK(chat.app.create("first").id == 1);
}

TEST_CASE("Conversation.HostileTextStaysText") {
  ChatApp chat;
  auto const said = chat.one("<b>*x*</b> &amp; \u202Eevil\x1b[0m\n<script>");
  REQUIRE(said.text.size() == 2);
  CHECK(said.text[0].text == "Added #1 <b>*x*</b> &amp; evil[0m.");
  CHECK(said.text[0].style == bridge::Style::plain);
  CHECK(chat.app.get(1).body == "<script>");
  auto const large = chat.one(std::string(60 << 10, 'x'));
  CHECK(shown(large).size() < 300);
  CHECK(chat.app.get(2).body.size() == 60U << 10U);
  CHECK(shown(chat.one("/task 2")).size() < 1000);
}

TEST_CASE("Conversation.RefusalIsKindAndTheTextBesideItCounts") {
  ChatApp chat;
  auto voice = chat.message("v", "");
  voice.refusal = "voice";
  auto const said = chat.take(voice);
  REQUIRE(said.size() == 1);
  CHECK(shown(said[0]) == "Sorry, the board does not take voice messages yet. Please write it as text.");
  auto photo = chat.message("p", "Look at this");
  photo.refusal = "hologram";
  auto const both = chat.take(photo);
  REQUIRE(both.size() == 2);
  CHECK(shown(both[0]) ==
        "Sorry, the board does not take messages of this kind yet; only the text beside it was taken.");
  CHECK(shown(both[1]).starts_with("Added #1 Look at this."));
}

TEST_CASE("Conversation.ReplyToATaskIsANote") {
  ChatApp chat;
  chat.say("Do it");
  CHECK(chat.reply("task 1", "mind the gap").starts_with("Noted on #1 Do it."));
  CHECK(chat.app.events().back().kind == core::EventKind::task_noted);
  CHECK(chat.reply("task 1", "/task 1").starts_with("#1 Do it"));
  CHECK(chat.reply("task 1", "note", 99) == "This chat has no task 1.");
  CHECK(chat.reply("weather 1", "note") == "This message is too old to be used.");
  CHECK(chat.reply("task", "note") == "This message is too old to be used.");
}

TEST_CASE("Conversation.RepeatedReplyHasOneEffect") {
  ChatApp chat;
  chat.app.call<&service::edit_board>({{.workflow = core::Workflow::open}, "other"});
  chat.app.create("Do it", {.board = "other"});
  chat.app.move(1, "needs_review");
  for (auto const* about : {"task 1", "reject 1"}) {
    auto reply = chat.message(std::string{"key of "} + about, "no test", 99);
    reply.about = about;
    auto const first = chat.take(reply);
    auto const seq = chat.app.last_seq();
    auto const second = chat.take(reply);
    REQUIRE(first.size() == 1);
    CHECK(shown(first.front()) == shown(second.front()));
    CHECK(chat.app.last_seq() == seq);
  }
  CHECK(chat.app.get(1).stage == core::Stage::ready);
}

TEST_CASE("Conversation.ReplyAnswersTheQuestionItIsFor") {
  ChatApp chat;
  chat.say("Do it", 88);
  auto const run = chat.app.start("developer");
  chat.app.call<&service::ask_permission>({.id = 1, .text = "May I?"}, agent(run));
  auto const asked = chat.news();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].asks);
  auto const about = asked[0].about;
  REQUIRE(about.starts_with("question 1 "));
  CHECK(chat.reply(about, "yes, but slowly") == "Answered #1 Do it: yes, but slowly");
  CHECK_FALSE(chat.app.get(1).question);
  CHECK(chat.app.get(1).claimed_by == "developer");

  chat.app.call<&service::ask_permission>({.id = 1, .text = "And now?"}, agent(run));
  auto const late = chat.reply(about, "yes");
  CHECK(late.starts_with("#1 Do it asks something else by now:\nAnd now?\n[Allow]\n[Deny]"));
  REQUIRE(chat.app.get(1).question);
  CHECK(chat.reply("question 1", "fine") == "Answered #1 Do it: fine");
}

TEST_CASE("Conversation.RepeatedAnswerIsAnsweredAlike") {
  ChatApp chat;
  chat.say("Do it");
  chat.app.call<&service::block_task>({.id = 1, .reason = "Which?", .choices = {"red", "blue"}});
  auto const asked = chat.news();
  REQUIRE(asked.size() == 1);
  auto press = chat.message("twice", "");
  press.act = act_of(asked[0], "blue");
  auto const first = chat.take(press);
  auto const seq = chat.app.last_seq();
  auto const second = chat.take(press);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(shown(first[0]) == "Answered #1 Do it: blue");
  CHECK(shown(second[0]) == shown(first[0]));
  CHECK(chat.app.last_seq() == seq);
  CHECK(chat.answer("/answer 1 blue") == shown(first[0]));
  CHECK(chat.answer("/answer 1 green") == "#1 Do it does not wait for this answer any more.");
}

}  // namespace andon::test
