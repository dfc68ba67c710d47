#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::TestApp;

TEST_CASE("EditActs.TakeBlockAndReleaseInOneUnit") {
  TestApp app("flow");
  app.create("Task");
  auto const seq = app.last_seq();
  auto const task = app.call<&service::edit_task>(
      {.id = 1, .title = "New", .block = "no key", .take = true, .claim = "bob"});
  CHECK(task.claimed_by == "bob");
  CHECK(task.block_reason == "no key");
  CHECK(task.status == "backlog");
  CHECK(app.kinds(seq) == std::vector<std::string>{"task.edited", "task.blocked", "task.claimed"});
  auto const then = app.last_seq();
  auto const freed = app.call<&service::edit_task>({.id = 1, .unblock = true, .release = true});
  CHECK_FALSE(freed.blocked);
  CHECK(freed.claimed_by.empty());
  CHECK(app.kinds(then) == std::vector<std::string>{"task.edited", "task.unblocked", "task.released"});
}

TEST_CASE("EditActs.ARefusalTakesEveryPartBack") {
  TestApp app("flow");
  app.create("Task");
  CHECK(app.refusal<&service::edit_task>(
            {.id = 1, .priority = service::PriorityName{"x"}, .take = true, .claim = "bob"}) ==
        "INVALID_PRIORITY");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .status = "x", .take = true, .claim = "bob"}) ==
        "INVALID_STATUS");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .block = "a", .unblock = true}) == "STATUS_CONFLICT");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .take = true, .release = true, .claim = "b"}) ==
        "STATUS_CONFLICT");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .take = true}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .block = ""}) == "INVALID_INPUT");
}

TEST_CASE("EditActs.ReasonsAreAsLongAsThoseOfTheVerb") {
  TestApp app;
  std::string const reason = std::string(300, 'x') + "\nand more";
  app.create("Task", {.status = "todo"});
  CHECK(app.call<&service::edit_task>({.id = 1, .block = reason}).block_reason == reason);
  app.create("Other", {.status = "todo", .claim = "bob"});
  CHECK(app.call<&service::handoff_task>({.id = 2, .block = reason, .claim = "bob"}).block_reason == reason);
  CHECK(app.refusal<&service::edit_task>({.id = 1, .block = " "}) == "INVALID_INPUT");
}

TEST_CASE("EditActs.ClaimsAreHeededWhereThatIsAsked") {
  TestApp app("flow");
  app.create("Task", {.claim = "bob"});
  app.call<&service::move_task>({.id = 1, .status = "in-progress", .claim = "bob"});
  app.call<&service::release_task>({.id = 1});
  CHECK(app.refusal<&service::edit_task>({.id = 1, .title = "New", .heed_claims = true}) == "CLAIM_REQUIRED");
  CHECK(app.call<&service::edit_task>({.id = 1, .title = "New"}).title == "New");
  CHECK(app.call<&service::edit_task>(
               {.id = 1, .title = "Newer", .take = true, .heed_claims = true, .claim = "bob"})
            .claimed_by == "bob");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .title = "Other", .claim = "eve"}) == "TASK_CLAIMED");
  CHECK(app.call<&service::edit_task>({.id = 1, .release = true, .heed_claims = true}).claimed_by.empty());
}

TEST_CASE("EditActs.OnABoardWithAColumnForItBlockedWorkGoesThere") {
  TestApp app;
  app.create("Task", {.status = "todo", .claim = "bob"});
  auto const blocked = app.call<&service::edit_task>({.id = 1, .block = "no key", .claim = "bob"});
  CHECK(blocked.stage == Stage::blocked);
  CHECK(blocked.claimed_by.empty());
  CHECK(app.call<&service::edit_task>({.id = 1, .unblock = true}).status == "todo");
}

TEST_CASE("EditActs.TimesAreWhatAPersonSays") {
  TestApp app;
  app.create("Task");
  auto const task = app.call<&service::edit_task>({.id = 1,
                                                   .status = "done",
                                                   .started = std::optional<core::Instant>{},
                                                   .completed = core::parse_instant("2026-01-03T00:00:00Z")});
  CHECK(core::to_text(*task.completed).starts_with("2026-01-03"));
  CHECK_FALSE(task.started);
}

TEST_CASE("EditActs.ARunDoesNotSetTimesOrClaimForOthers") {
  TestApp app;
  app.add_worker("dev");
  app.create("Task", {.status = "todo", .assignee = "dev"});
  auto const run = app.start("dev");
  auto const agent = test::agent(run);
  CHECK(app.refusal<&service::edit_task>({.id = 1, .started = core::parse_instant("2026-01-03T00:00:00Z")},
                                         agent) == "FORBIDDEN");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .take = true, .claim = "eve"}, agent) == "FORBIDDEN");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .unblock = true}, agent) == "FORBIDDEN");
}

TEST_CASE("Handoff.MayBlockAndNoteInTheSameUnit") {
  TestApp app("flow");
  app.create("Task", {.body = "Brief"});
  auto const task = app.call<&service::handoff_task>({.id = 1,
                                                      .note = "Half",
                                                      .append_body = "Half",
                                                      .block = "key",
                                                      .take = true,
                                                      .release = true,
                                                      .claim = "bob"});
  CHECK(task.status == "review");
  CHECK(task.body == "Brief\n\nHalf");
  CHECK(task.blocked);
  CHECK(task.claimed_by.empty());
}

TEST_CASE("Handoff.TakesAClaimOnWorkThatWaitsExceptForAWorker") {
  TestApp app("flow");
  app.create("First");
  app.create("Second", {.depends_on = {1}});
  app.add_worker("robot");
  CHECK(app.refusal<&service::handoff_task>({.id = 2, .take = true, .claim = "robot"}) == "DEPENDENCY_OPEN");
  auto const task = app.call<&service::handoff_task>({.id = 2, .take = true, .claim = "bob"});
  CHECK(task.status == "review");
  CHECK(task.claimed_by == "bob");
}

TEST_CASE("Edit.TakesAClaimOnWorkThatWaitsExceptForAWorker") {
  TestApp app("flow");
  app.create("First");
  app.create("Second", {.depends_on = {1}});
  app.add_worker("robot");
  CHECK(app.refusal<&service::edit_task>({.id = 2, .take = true, .claim = "robot"}) == "DEPENDENCY_OPEN");
  CHECK(app.call<&service::edit_task>({.id = 2, .take = true, .claim = "bob"}).claimed_by == "bob");
}

TEST_CASE("Handoff.MayInsistOnAReview") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  CHECK(app.refusal<&service::handoff_task>({.id = 1, .to_review = true}) == "INVALID_INPUT");
  CHECK(app.call<&service::handoff_task>({.id = 1}).status == "todo");
}

TEST_CASE("Answers.OfChangesCarryTheBrief") {
  TestApp app("flow");
  app.create("Task", {.body = "Brief"});
  CHECK(app.call<&service::edit_task>({.id = 1, .title = "New"}).body == "Brief");
  CHECK(app.call<&service::move_task>({.id = 1, .status = "todo"}).body == "Brief");
  CHECK(app.call<&service::move_task>({.id = 1, .status = "todo"}).body == "Brief");
  CHECK(app.call<&service::archive_task>({.id = 1}).body == "Brief");
}

TEST_CASE("Board.KeepsHowATerminalShowsIt") {
  TestApp app("flow");
  app.call<&service::edit_board>(
      {{.description = "For all", .tui = core::BoardDisplay{.title_lines = 3, .age_thresholds = {}}},
       "flow"});
  auto const board = app.answer<&service::get_board>({.board = "flow"});
  CHECK(board.contains(R"("description":"For all")"));
  CHECK(board.contains(R"("tui":{"title_lines":3,"age_thresholds":[]})"));
  CHECK(app.refusal<&service::edit_board>(
            {{.tui = core::BoardDisplay{.title_lines = 4, .age_thresholds = {}}}, "flow"}) ==
        "INVALID_INPUT");
}
