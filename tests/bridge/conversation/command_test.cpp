#include <set>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "bridge/conversation/chat_app.hpp"
#include "bridge/conversation/chat_commands.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::test {

TEST_CASE("Command.TableHasEachNameOnceAndWordsForMessengers") {
  std::set<std::string_view> names;
  for (auto const& row : bridge::chat_commands()) {
    CHECK(names.insert(row.name).second);
    CHECK(row.name.size() <= 32);
    CHECK(row.summary.size() >= 3);
    CHECK(row.summary.size() <= 256);
    CHECK((row.needed > 0) == (!row.arguments.empty() && !row.arguments.starts_with('[')));
  }
}

TEST_CASE("Command.HelpListsEachCommand") {
  ChatApp chat;
  auto const help = chat.answer("/help");
  for (auto const& row : bridge::chat_commands())
    CHECK(help.find("\n/" + std::string{row.name}) != std::string::npos);
}

TEST_CASE("Command.AnswersOfferOnlyOwnCommandsToPress") {
  ChatApp chat;
  auto const pressable = [&](std::string_view text) {
    std::string out;
    for (auto const& span : chat.one(text).text)
      if (span.style == bridge::Style::command) out += span.text + ";";
    return out;
  };
  CHECK(pressable("/help").starts_with("/board;/tasks;/task;"));
  CHECK(pressable("/dance") == "/help;");
  CHECK(pressable("/stop") == "/resume;");
  CHECK(pressable("/board") == "/resume;");
  CHECK(pressable("/stop all") == "/resume all;");
  CHECK(pressable("/resume") == "/resume all;");
  CHECK(pressable("/add /kill 1").empty());
}

TEST_CASE("Command.MissingArgumentsGetTheUsage") {
  ChatApp chat;
  for (auto const& row : bridge::chat_commands()) {
    if (row.needed == 0) continue;
    auto const usage =
        "Please write it like this: /" + std::string{row.name} + " " + std::string{row.arguments};
    CHECK(chat.answer("/" + std::string{row.name}).starts_with(usage));
  }
  CHECK(chat.answer("/answer 1").starts_with("Please write it like this: /answer ID TEXT"));
}

TEST_CASE("Command.NameMayHaveCapitals") {
  ChatApp chat;
  CHECK(chat.answer("/add  Do it").starts_with("Added #1 Do it."));
  CHECK(chat.answer("/ADD More\nwith a brief").starts_with("Added #2 More."));
  CHECK(chat.app.get(2).body == "with a brief");
  CHECK(chat.answer("/dance now") == "There is no command /dance. /help lists those there are.");
  CHECK(chat.answer("/etc/hosts is wrong").starts_with("Added #3 /etc/hosts is wrong."));
  CHECK(chat.answer("/stop@home.example").starts_with("Added #4 /stop@home.example."));
  CHECK(chat.answer("/ is a slash").starts_with("Added #5 / is a slash."));
}

TEST_CASE("Command.BoardShowsNumbersAndWorkers") {
  ChatApp chat;
  chat.say("One");
  chat.say("Two", 88);
  chat.app.start("developer");
  auto const all = chat.answer("/board");
  CHECK(all.starts_with("queue\nPending: 1\nReady: 0\n"));
  CHECK(all.find("\nIn Progress: 1\n") != std::string::npos);
  CHECK(all.ends_with("\nDeveloper: working, #2 Two\ntester: idle"));
  auto const own = chat.answer("/board", 88);
  CHECK(own.starts_with("queue, tasks of Developer\nPending: 0\n"));
  CHECK(own.find("tester") == std::string::npos);
}

TEST_CASE("Command.TasksListsTenAndCountsTheRest") {
  ChatApp chat;
  CHECK(chat.answer("/tasks") == "Open tasks: none.");
  for (int i = 1; i <= 13; ++i)
    chat.app.create("Task " + std::to_string(i), {.status = "ready", .assignee = "tester"});
  chat.app.create("Mine", {.status = "ready", .assignee = "developer"});
  auto const all = chat.answer("/tasks");
  CHECK(all.ends_with("\nand 4 more"));
  CHECK(all.find("#14 Mine (ready, developer)") != std::string::npos);
  CHECK(chat.answer("/tasks", 88) == "Open tasks\n#14 Mine (ready, developer)");
  chat.app.call<&service::claim_task>({.id = 13, .by = "developer"});
  CHECK(chat.answer("/tasks", 88).find("#13 Task 13") != std::string::npos);
  CHECK(chat.answer("/tasks pending") == "Pending: none.");
  CHECK(chat.answer("/tasks READY").starts_with("Ready\n"));
  CHECK(chat.answer("/tasks nowhere").starts_with("There is no column nowhere; there are pending, ready,"));
}

TEST_CASE("Command.TaskShowsItWithWhatCanBeDone") {
  ChatApp chat;
  chat.say("Do it\nin this way");
  CHECK(chat.answer("/task 1") == "#1 Do it\npending\nBrief:\nin this way\n[Approve]");
  CHECK(chat.answer("/task #1") == chat.answer("/task 1"));
  CHECK(chat.answer("/task 1", 88) == "This chat has no task 1.");
  CHECK(chat.answer("/task 1", 99) == "This chat has no task 1.");
  CHECK(chat.answer("/task 7") == "This chat has no task 7.");
  CHECK(chat.answer("/task x\u202Ey").find("\u202E") == std::string::npos);
}

TEST_CASE("Command.ActsOnTasksDoWhatButtonsDo") {
  ChatApp chat;
  chat.say("Do it", 88);
  CHECK(chat.answer("/approve 1").starts_with("Approved #1 Do it."));
  auto const run = chat.app.start("developer");
  chat.app.call<&service::ask_permission>({.id = 1, .text = "May I?"}, agent(run));
  CHECK(chat.answer("/answer 1 yes please") == "Answered #1 Do it: yes please");
  CHECK(chat.answer("/kill 1") == "Stopping #1 Do it.");
}

TEST_CASE("Command.DoneFinishesATaskWithItsResult") {
  ChatApp chat;
  chat.app.create("Do it", {.review = core::ReviewRule::none});
  chat.app.call<&service::approve_task>({.id = 1});
  chat.app.call<&service::claim_task>({.id = 1, .by = "ann"});
  chat.app.call<&service::start_task>({.id = 1});
  CHECK(chat.answer("/done 1 all fine").find("is claimed by") != std::string::npos);
  chat.app.call<&service::release_task>({.id = 1});
  CHECK(chat.answer("/done 1 all fine").size() < 300);
  ChatApp open;
  open.app.call<&service::edit_board>({{.workflow = core::Workflow::open}, "other"});
  open.app.create("Do it", {.board = "other", .review = core::ReviewRule::none});
  open.app.move(1, "in_progress");
  CHECK(open.answer("/done 1 all fine", 99) == "Done: #1 Do it.");
  CHECK(open.app.get(1).result == "all fine");
}

TEST_CASE("Command.SearchFindsTasksOfTheChat") {
  ChatApp chat;
  chat.app.create("Fix the login");
  chat.app.create("Fix the logout", {.assignee = "developer"});
  chat.app.create("Fix the door", {.board = "other"});
  CHECK(chat.answer("/search fix door") == "Found: none.");
  auto const found = chat.answer("/search fix");
  CHECK(found.starts_with("Found\n"));
  CHECK(found.find("#1 Fix the login (pending)") != std::string::npos);
  CHECK(found.find("#2 Fix the logout (pending, developer)") != std::string::npos);
  CHECK(chat.answer("/search fix", 88) == "Found\n#2 Fix the logout (pending, developer)");
  CHECK(chat.answer("/search fix", 99) == "Found\n#3 Fix the door (pending)");
  CHECK(chat.answer("/search board:other fix").find("#3") == std::string::npos);
}

TEST_CASE("Command.PauseAndResumeConcernTheBoardOrAWorker") {
  ChatApp chat;
  auto const paused = [&] { return chat.app.answer<&service::dispatch_status>(); };
  CHECK(chat.answer("/pause").starts_with("Paused: the workers of this board"));
  CHECK(paused().find(R"("paused_boards":["queue"])") != std::string::npos);
  CHECK(chat.answer("/board").find("Paused: its workers take no new task.") != std::string::npos);
  CHECK(chat.answer("/resume") == "Workers of this board take tasks again.");
  CHECK(chat.answer("/pause tester") == "Tester takes no new task; what runs goes on.");
  CHECK(chat.answer("/pause", 88) == "Developer takes no new task; what runs goes on.");
  CHECK(paused().find(R"("paused_workers":["developer","tester"])") != std::string::npos);
  CHECK(chat.answer("/resume", 88) == "Developer takes tasks again.");
  CHECK(chat.answer("/resume tester") == "Tester takes tasks again.");
  CHECK(chat.answer("/pause tester", 88) == "This chat has no worker tester.");
  CHECK(chat.answer("/pause nobody") == "This chat has no worker nobody.");
  CHECK(paused().find("paused_workers") == std::string::npos);
}

TEST_CASE("Command.StopMakesAgentsStandStill") {
  ChatApp chat;
  auto const frozen = [&] { return chat.app.answer<&service::list_frozen>(); };
  CHECK(chat.answer("/stop") == "Stopped: the agents of board queue stand still. /resume lets them go on.");
  CHECK(frozen().find(R"("boards":["queue"])") != std::string::npos);
  CHECK(chat.answer("/resume") == "Workers of this board take tasks again.");
  CHECK(chat.answer("/stop", 88) == "Stopped: the agents of developer stand still. /resume lets them go on.");
  CHECK(frozen().find(R"("workers":["developer"])") != std::string::npos);
  CHECK(chat.answer("/resume", 88) == "Developer takes tasks again.");
  CHECK(chat.answer("/stop all") ==
        "Stopped: the agents of all boards stand still. /resume all lets them go on.");
  CHECK(frozen().find(R"("everything":true)") != std::string::npos);
  CHECK(chat.answer("/resume").ends_with("All agents are stopped. /resume all lets them go on."));
  CHECK(chat.answer("/resume all") == "All agents of all boards go on.");
  CHECK(frozen().find("true") == std::string::npos);
  chat.say("Do it", 88);
  chat.app.start("developer");
  CHECK(chat.answer("/stop 1") == "Stopping #1 Do it.");
}

TEST_CASE("Command.ReachesNoOtherBoard") {
  ChatApp chat;
  chat.app.create("Theirs", {.board = "other"});
  auto const before = chat.app.digest();
  for (auto const* text : {"/task 1", "/done 1", "/approve 1", "/kill 1", "/stop 1", "/answer 1 yes"})
    CHECK(chat.answer(text) == "This chat has no task 1.");
  CHECK(chat.app.digest() == before);
}

TEST_CASE("Command.RepeatedMessageHasOneEffect") {
  ChatApp chat;
  for (auto const* text : {"/add Do it", "/approve 1", "/pause", "/resume", "/stop", "/resume", "/stop all",
                           "/resume all", "/pause tester", "/resume tester"}) {
    auto const message = chat.message(std::string{"key "} + std::to_string(++chat.keys), text);
    auto const first = chat.take(message);
    auto const seq = chat.app.last_seq();
    auto const second = chat.take(message);
    REQUIRE(first.size() == 1);
    CHECK(shown(first.front()) == shown(second.front()));
    CHECK(chat.app.last_seq() == seq);
  }
}

}  // namespace andon::test
