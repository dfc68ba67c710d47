#include <doctest/doctest.h>

#include "bridge/conversation/chat_app.hpp"
#include "bridge/conversation/news_kinds.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/workers/workers.hpp"

namespace andon::test {
namespace {

/// A task that the developer works on.
core::Run begun(ChatApp& chat, service::CreateTaskRequest task = {}) {
  task.assignee = "developer";
  task.status = "ready";
  chat.app.create("Do it", task);
  auto const run = chat.app.start("developer");
  chat.skip_news();
  return run;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("News.NothingIsToldOfTheTimeBefore") {
  ChatApp chat;
  begun(chat);
  CHECK(chat.headlines().empty());
}

TEST_CASE("News.DoneTellsTheResultOnce") {
  ChatApp chat;
  auto const run = begun(chat, {.review = core::ReviewRule::none});
  chat.app.call<&service::complete_task>({.id = 1, .result = "It works.\nTested."}, agent(run));
  CHECK(chat.headlines().empty());
  chat.app.finish(run);
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]) == "Done: #1 Do it\nby ann\nIt works.\nTested.");
  CHECK(told[0].news == "Done: #1 Do it");
  CHECK(told[0].about == "task 1");
  CHECK(chat.headlines().empty());
}

TEST_CASE("News.ReviewAsksForAVerdictAndTheVerdictIsNews") {
  ChatApp chat;
  auto const run = begun(chat, {.review = core::ReviewRule::required});
  chat.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(run));
  chat.app.finish(run);
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]) == "To review: #1 Do it\nby ann\nmade it\n[Accept][Reject]");
  chat.app.call<&service::accept_task>({.id = 1});
  CHECK(chat.headlines() == Lines{"Done: #1 Do it"});
}

TEST_CASE("News.FailedTellsWhy") {
  ChatApp chat;
  auto const run = begun(chat, {.max_attempts = 1});
  chat.app.call<&service::fail_task>({.id = 1, .reason = "no network"}, agent(run));
  chat.app.finish(run);
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]) == "Failed: #1 Do it\nby ann\nno network\n[Retry]");
}

TEST_CASE("News.AttemptThatIsTriedAgainIsNoNews") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.app.call<&service::fail_task>({.id = 1, .reason = "no network"}, agent(run));
  chat.app.finish(run);
  CHECK(chat.headlines().empty());
}

TEST_CASE("News.BlockedAndQuestion") {
  ChatApp chat;
  chat.app.create("Do it");
  chat.app.create("Or that");
  chat.skip_news();
  chat.app.call<&service::block_task>({.id = 1, .reason = "no key"});
  chat.app.call<&service::block_task>({.id = 2, .reason = "Which?", .choices = {"red", "blue"}});
  auto const told = chat.news();
  REQUIRE(told.size() == 2);
  CHECK(shown(told[0]) == "Blocked: #1 Do it\nby ann\nno key\n[Retry]");
  CHECK(shown(told[1]) == "Question: #2 Or that\nby ann\nWhich?\n[red]\n[blue]");
  CHECK(told[1].asks);
  CHECK(told[1].about.starts_with("question 2 "));
}

TEST_CASE("News.QuestionThatIsAnsweredAlreadyIsNotAsked") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.app.call<&service::ask_permission>({.id = 1, .text = "May I?"}, agent(run));
  chat.app.call<&service::answer_task>({.id = 1, .text = "yes"});
  CHECK(chat.headlines().empty());
  chat.app.call<&service::ask_permission>({.id = 1, .text = "Still?"}, agent(run));
  CHECK(chat.headlines() == Lines{"Question: #1 Do it"});
}

TEST_CASE("News.KillIsToldAlsoToTheChatThatPulledIt") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.say("/kill 1");
  CHECK(chat.headlines().empty());
  chat.app.finish(run, {.stopped_because = core::StopReason::killed, .exit = {.signal = 9}});
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(told[0].news == "Killed: #1 Do it");
  CHECK(shown(told[0]) == "Killed: #1 Do it\nby this chat, now in pending\n[Approve]");
}

TEST_CASE("News.StaleRunIsTold") {
  ChatApp chat;
  auto run = begun(chat);
  chat.app.finish(run, {.stopped_because = core::StopReason::stale, .exit = {.signal = 9}});
  CHECK(chat.headlines() == Lines{"No progress: #1 Do it"});
  chat.app.call<&service::retry_task>({.id = 1});
  run = chat.app.start("developer");
  chat.app.finish(run, {.stopped_because = core::StopReason::lost, .exit = {.signal = 9}});
  CHECK(chat.headlines() == Lines{"No progress: #1 Do it"});
}

TEST_CASE("News.ClaimThatIsOverIsTold") {
  ChatApp chat;
  chat.app.create("Do it", {.status = "ready", .assignee = "developer"});
  chat.app.call<&service::claim_task>({.id = 1, .by = "developer"});
  chat.app.call<&service::start_task>({.id = 1, .claim = "developer"});
  chat.skip_news();
  chat.app.clock.advance(core::Duration{3 * 3'600'000});
  chat.app.call<&service::sweep>();
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]).starts_with("No progress: #1 Do it\n"));
  CHECK(shown(told[0]).find("now in ready\nthe claim was over") != std::string::npos);
}

TEST_CASE("News.MovesByPeopleAreToldByTheirColumn") {
  ChatApp chat;
  chat.app.call<&service::edit_board>({{.workflow = core::Workflow::open},
                                       "other",
                                       {},
                                       {},
                                       {},
                                       {{.name = "stuck", .stage = core::Stage::blocked}}});
  chat.app.create("Do it", {.board = "other"});
  chat.skip_news();
  auto const moved = [&](std::string_view column) {
    chat.app.move(1, column);
    return chat.headlines(99);
  };
  CHECK(moved("stuck") == Lines{"Blocked: #1 Do it"});
  CHECK(moved("ready").empty());
  CHECK(moved("failed") == Lines{"Failed: #1 Do it"});
  CHECK(moved("needs_review") == Lines{"To review: #1 Do it"});
  CHECK(moved("completed") == Lines{"Done: #1 Do it"});
}

TEST_CASE("News.UsageLimitOfAnAccount") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.app.finish(run, {.stopped_because = core::StopReason::rate_limited,
                        .exit = {.code = 1},
                        .resets_at = core::parse_instant("2027-01-15T09:30:00Z")});
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(told[0].news == "Usage limit: account shell rests until 2027-01-15 09:30 UTC");
}

TEST_CASE("News.LimitOfAnotherAccountIsNoNewsForAWorker") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.app.call<&service::edit_worker>({.name = "tester", .agent = "codex"});
  chat.settings.chats[1].worker = "tester";
  chat.app.finish(run, {.stopped_because = core::StopReason::rate_limited, .exit = {.code = 1}});
  CHECK(chat.headlines(88).empty());
}

TEST_CASE("News.WorkThatCouldNotBeLanded") {
  ChatApp chat;
  chat.app.call<&service::edit_board>({{.repo = "/srv/repo", .worktree = true}, "queue"});
  auto const run = begun(chat, {.review = core::ReviewRule::none});
  chat.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(run));
  chat.app.finish(run, {.exit = {.code = 0},
                        .branch = "andon/1",
                        .commits = {"c1"},
                        .files_changed = 1,
                        .base = "b",
                        .head = "c1"});
  REQUIRE(chat.headlines().empty());
  chat.app.call<&service::hold_landing>({.id = run.id, .reason = "the branch is checked out"});
  CHECK(chat.headlines() == Lines{"Not landed: #1 Do it"});
  chat.app.call<&service::return_landing>({.id = run.id, .reason = "conflict in a.txt"});
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]).starts_with("Not landed: #1 Do it\nconflict in a.txt"));
}

TEST_CASE("News.WorkThatCouldNotBeLandedAtLast") {
  ChatApp chat;
  chat.app.call<&service::edit_board>({{.repo = "/srv/repo", .worktree = true}, "queue"});
  auto const run = begun(chat, {.review = core::ReviewRule::none, .max_attempts = 1});
  chat.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(run));
  chat.app.finish(run, {.exit = {.code = 0},
                        .branch = "andon/1",
                        .commits = {"c1"},
                        .files_changed = 1,
                        .base = "b",
                        .head = "c1"});
  chat.app.call<&service::return_landing>({.id = run.id, .reason = "conflict in a.txt"});
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]) == "Not landed: #1 Do it\nconflict in a.txt\n[Retry]");
}

TEST_CASE("News.CordOfTheChatsAgents") {
  ChatApp chat;
  chat.app.call<&service::freeze>();
  chat.app.call<&service::thaw>();
  CHECK(chat.headlines() == Lines{"Stopped: all agents stand still", "Going on: all agents go on"});
  chat.app.call<&service::freeze>({.board = "other"});
  CHECK(chat.headlines().empty());
  chat.app.call<&service::freeze>({.worker = "tester"});
  CHECK(chat.headlines(88).empty());
  chat.app.call<&service::freeze>({.worker = "developer"});
  CHECK(chat.headlines(88) == Lines{"Stopped: the agents of developer stand still"});
}

TEST_CASE("News.TaskOfAnAgentWaitsForApproval") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.app.create("Do more", {.body = "like this"}, agent(run));
  chat.app.create("By a person");
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]) == "To approve: #2 Do more\nby Developer\nlike this\n[Approve]");
}

TEST_CASE("News.ResumingWhatWasNotStoppedIsNoNews") {
  ChatApp chat;
  chat.say("/resume");
  CHECK(chat.headlines(88).empty());
  chat.say("/stop");
  chat.say("/resume");
  CHECK(chat.headlines(88).size() == 2);
}

TEST_CASE("News.VerdictOfChecksLeavesNothingToReview") {
  ChatApp chat;
  auto const run = begun(chat, {.review = core::ReviewRule::required});
  chat.app.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(run));
  chat.app.finish(run);
  chat.app.call<&service::accept_task>({.id = 1});
  CHECK(chat.headlines() == Lines{"Done: #1 Do it"});
}

TEST_CASE("News.WorkOfARoleIsToldInTheChatOfItsWorker") {
  ChatApp chat;
  chat.settings.chats[1].worker = "tester";
  chat.app.create("Try it", {.status = "ready", .role = "tester", .review = core::ReviewRule::none});
  auto const run = chat.app.start("tester");
  chat.skip_news();
  chat.app.call<&service::complete_task>({.id = 1, .result = "tried"}, agent(run));
  chat.app.finish(run);
  CHECK(chat.headlines(88) == Lines{"Done: #1 Try it"});
}

TEST_CASE("News.OwnActsAreNotRepeated") {
  ChatApp chat;
  auto const run = begun(chat);
  chat.app.call<&service::ask_permission>({.id = 1, .text = "May I?"}, agent(run));
  CHECK(chat.headlines().size() == 1);
  for (auto const* text : {"Another task", "/answer 1 yes", "/stop", "/resume", "/approve 2", "/pause"})
    chat.say(text);
  CHECK(chat.headlines().empty());
  chat.say("/stop all");
  CHECK(chat.headlines(99) == Lines{"Stopped: all agents stand still"});
}

TEST_CASE("News.EachChatGetsWhatItAskedFor") {
  ChatApp chat;
  chat.settings.chats[0].notify = {"done"};
  chat.settings.chats[1].worker = "tester";
  chat.app.create("Do it");
  chat.app.create("Theirs", {.board = "other"});
  chat.skip_news();
  chat.app.call<&service::block_task>({.id = 1, .reason = "no key"});
  chat.app.call<&service::block_task>({.id = 2, .reason = "no key"});
  auto const told = chat.conversation.news_since(chat.place);
  REQUIRE(told);
  REQUIRE(told->messages.size() == 1);
  CHECK(told->messages[0].place.chat == 99);
  CHECK(told->messages[0].news == "Blocked: #2 Theirs");
}

TEST_CASE("News.PageIsBoundedAndSaysWhatIsLeftOut") {
  ChatApp chat;
  chat.app.create("Do it");
  chat.skip_news();
  chat.app.call<&service::block_task>({.id = 1, .reason = "no key"});
  for (int i = 0; i < 250; ++i) chat.app.call<&service::note_task>({.id = 1, .text = "so"});
  auto const told = chat.news();
  REQUIRE(told.size() == 2);
  CHECK(told[0].news == "Blocked: #1 Do it");
  CHECK(told[1].news == "51 more things happened than fit here.");
  CHECK(told[1].is_silent);
  CHECK(chat.headlines().empty());
  for (int i = 0; i < 200; ++i) chat.app.call<&service::note_task>({.id = 1, .text = "so"});
  CHECK(chat.headlines().empty());
}

TEST_CASE("News.PlaceThatIsGoneIsSaidOnce") {
  ChatApp chat;
  chat.app.create("Do it");
  chat.place = "99999";
  CHECK(chat.headlines() == Lines{"The history before this is gone; news may be missing."});
  CHECK(chat.headlines().empty());
  CHECK_FALSE(chat.conversation.news_since("no place"));
}

TEST_CASE("News.HostileTextsStayTextOfBoundedLength") {
  ChatApp chat;
  auto const run = begun(chat, {.max_attempts = 1});
  auto const reason = std::string(30'000, 'x') + "<b>";
  chat.app.call<&service::fail_task>({.id = 1, .reason = reason}, agent(run));
  chat.app.finish(run);
  auto const told = chat.news();
  REQUIRE(told.size() == 1);
  CHECK(shown(told[0]).size() < 1'000);
}

TEST_CASE("News.EachKindHasARow") {
  for (std::size_t kind = 0; kind < bridge::kNewsKinds.size(); ++kind) {
    auto const rows = bridge::news_rows();
    CHECK_MESSAGE(std::ranges::any_of(
                      rows, [&](auto const& row) { return static_cast<std::size_t>(row.news) == kind; }),
                  bridge::kNewsKinds.at(kind));
  }
}

}  // namespace andon::test
