#include <doctest/doctest.h>

#include "bridge/conversation/chat_app.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::test {
namespace {

/// A task that waits for a verdict.
core::TaskId reviewed(ChatApp& chat) {
  auto const id =
      chat.app
          .create("Look at it",
                  {.status = "ready", .assignee = "developer", .review = core::ReviewRule::required})
          .id;
  auto const run = chat.app.start("developer");
  chat.app.call<&service::complete_task>({.id = id, .result = "made it"}, agent(run));
  chat.app.finish(run);
  REQUIRE(chat.app.get(id).stage == core::Stage::review);
  return id;
}

}  // namespace

TEST_CASE("Button.ApproveAndStartLetATaskBeWorkedOn") {
  ChatApp chat;
  auto const said = chat.one("Do it");
  auto const act = act_of(said, "Approve");
  CHECK(act == "approve 1");
  CHECK(chat.press(act).starts_with("Approved #1 Do it."));
  CHECK(chat.app.get(1).stage == core::Stage::ready);
  chat.app.create("More", {.assignee = "developer"});
  auto const card = chat.one("/task 2", 88);
  CHECK(labels_of(card) == std::vector<std::string>{"Start"});
  CHECK(chat.press(act_of(card, "Start"), 88) == "Started #2 More.\nDeveloper has it.");
}

TEST_CASE("Button.StartGivesTheTaskToTheWorkerOfTheChat") {
  ChatApp chat;
  chat.settings.chats[0].worker = "developer";
  chat.app.create("Do it", {},
                  {{core::ActorKind::telegram, "77"}, service::Role::person, core::Source::telegram, {}});
  auto start = chat.message("s", "");
  start.act = "start 1";
  auto const first = chat.take(start), second = chat.take(start);
  REQUIRE(second.size() == 1);
  CHECK(shown(first.front()) == "Started #1 Do it.\nDeveloper has it.");
  CHECK(shown(second.front()) == shown(first.front()));
  CHECK(chat.app.get(1).assignee == "developer");
}

TEST_CASE("Button.VerdictsAcceptAndAskForAReason") {
  ChatApp chat;
  auto const id = reviewed(chat);
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(labels_of(told[0]) == std::vector<std::string>{"Accept", "Reject"});
  auto const reject = act_of(told[0], "Reject"), accept = act_of(told[0], "Accept");
  auto press = chat.message("r", "");
  press.act = reject;
  auto const asked = chat.take(press);
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].asks);
  CHECK(asked[0].about == "reject 1");
  CHECK(chat.app.get(id).stage == core::Stage::review);
  CHECK(chat.reply(asked[0].about, "no test") == "Sent back #1 Look at it.");
  CHECK(chat.app.get(id).stage == core::Stage::ready);
  CHECK(chat.press(accept).starts_with("Cannot accept"));
  CHECK(chat.press(reject) == "#1 Look at it does not wait for a verdict.");
  CHECK(chat.reply(asked[0].about, "again").starts_with("Cannot reject"));
}

TEST_CASE("Button.AcceptFinishesTheTask") {
  ChatApp chat;
  auto const id = reviewed(chat);
  CHECK(chat.press("accept " + std::to_string(id)) == "Accepted #1 Look at it.");
  CHECK(chat.app.get(id).stage == core::Stage::done);
}

TEST_CASE("Button.KillEndsTheWorkOnceAndForOneMessage") {
  ChatApp chat;
  chat.say("Do it", 88);
  auto const run = chat.app.start("developer");
  auto const card = chat.one("/task 1");
  auto kill = chat.message("k", "");
  kill.act = act_of(card, "Kill");
  auto const first = chat.take(kill);
  chat.app.finish(run, {.stopped_because = core::StopReason::killed, .exit = {.signal = 9}});
  auto const second = chat.take(kill);
  REQUIRE(second.size() == 1);
  CHECK(shown(first.front()) == "Stopping #1 Do it.");
  CHECK(shown(second.front()) == shown(first.front()));
  CHECK(chat.app.get(1).stage == core::Stage::backlog);
  CHECK_FALSE(chat.press("kill 1").starts_with("Stopp"));
}

TEST_CASE("Button.RetryTakesAFailedTaskUpAgain") {
  ChatApp chat;
  chat.app.create("Do it", {.status = "ready", .assignee = "developer", .max_attempts = 1});
  auto const run = chat.app.start("developer");
  chat.app.finish(run, {.result = "", .exit = {.code = 1}});
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(told[0].news == "Failed: #1 Do it");
  CHECK(chat.press(act_of(told[0], "Retry")).starts_with("Trying again: #1 Do it."));
  CHECK(chat.app.get(1).stage == core::Stage::ready);
  CHECK(chat.press("retry 1").starts_with("Cannot"));
}

TEST_CASE("Button.ChoiceAnswersOnlyTheQuestionItBelongsTo") {
  ChatApp chat;
  chat.say("Do it", 88);
  auto const run = chat.app.start("developer");
  auto const ask = [&] {
    chat.app.call<&service::ask_permission>({.id = 1, .text = "May I?", .choices = {"Allow", "Deny"}},
                                            agent(run));
    return chat.one("/task 1");
  };
  auto const first = ask();
  CHECK(chat.press(act_of(first, "Allow")) == "Answered #1 Do it: Allow");
  CHECK(chat.press(act_of(first, "Deny")) == "Answered #1 Do it: Allow");
  chat.app.clock.advance(core::Duration{5'000});
  auto const second = ask();
  CHECK(chat.press(act_of(first, "Deny")).starts_with("#1 Do it asks something else by now:"));
  REQUIRE(chat.app.get(1).question);
  CHECK(chat.press("answer 1 3 " + act_of(second, "Allow").substr(11)).starts_with("#1 Do it asks"));
  CHECK(chat.press(act_of(second, "Deny")) == "Answered #1 Do it: Deny");
}

TEST_CASE("Button.AnswerOfAnotherPersonIsNotGivenForTheChat") {
  ChatApp chat;
  chat.say("Do it", 88);
  auto const run = chat.app.start("developer");
  chat.app.call<&service::ask_permission>({.id = 1, .text = "May I?"}, agent(run));
  auto const card = chat.one("/task 1");
  chat.app.call<&service::answer_task>({.id = 1, .text = "no"});
  CHECK(chat.press(act_of(card, "Allow")) == "#1 Do it does not wait for this answer any more.");
}

TEST_CASE("Button.ReachesNoOtherBoardOrWorker") {
  ChatApp chat;
  chat.app.create("Theirs", {.board = "other"});
  chat.app.create("Of the tester", {.assignee = "tester"});
  auto const before = chat.app.digest();
  for (auto const* verb : {"approve", "accept", "reject", "kill", "retry", "start"}) {
    CHECK(chat.press(std::string{verb} + " 1") == "This chat has no task 1.");
    CHECK(chat.press(std::string{verb} + " 2", 88) == "This chat has no task 2.");
  }
  CHECK(chat.press("answer 1 1 abc") == "This chat has no task 1.");
  CHECK(chat.app.digest() == before);
}

TEST_CASE("Button.OldOrStrangeActChangesNothing") {
  ChatApp chat;
  chat.say("Do it");
  auto const before = chat.app.digest();
  for (auto const* act : {"dance 1", "approve", "answer 1", "answer 1 x abc", "answer 1 0 abc", "answer 1 1"})
    CHECK(chat.press(act) == "This message is too old to be used.");
  CHECK(chat.press("approve 9").find("no task") != std::string::npos);
  CHECK(chat.press("approve 99999999999999999999").size() < 300);
  CHECK(chat.app.digest() == before);
}

}  // namespace andon::test
