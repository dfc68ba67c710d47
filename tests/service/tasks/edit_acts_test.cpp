#include <doctest/doctest.h>

#include "service/test_app.hpp"

using andon::core::Stage;
using andon::test::on;
using andon::test::TestApp;

TEST_CASE("EditActs.TakeBlockAndReleaseInOneUnit") {
  TestApp app("flow");
  app.create("Task");
  auto const seq = app.last_seq();
  auto const task =
      app.task("update_task", on(1, R"("title":"New","take":true,"claim":"bob","block":"no key")"));
  CHECK(task.claimed_by == "bob");
  CHECK(task.block_reason == "no key");
  CHECK(task.status == "backlog");
  CHECK(app.kinds(seq) == std::vector<std::string>{"task.edited", "task.blocked", "task.claimed"});
  auto const then = app.last_seq();
  auto const freed = app.task("update_task", on(1, R"("unblock":true,"release":true)"));
  CHECK_FALSE(freed.blocked);
  CHECK(freed.claimed_by.empty());
  CHECK(app.kinds(then) == std::vector<std::string>{"task.edited", "task.unblocked", "task.released"});
}

TEST_CASE("EditActs.ARefusalTakesEveryPartBack") {
  TestApp app("flow");
  app.create("Task");
  CHECK(app.refusal("update_task", on(1, R"("take":true,"claim":"bob","priority":"x")")) ==
        "INVALID_PRIORITY");
  CHECK(app.refusal("update_task", on(1, R"("take":true,"claim":"bob","status":"x")")) == "INVALID_STATUS");
  CHECK(app.refusal("update_task", on(1, R"("block":"a","unblock":true)")) == "STATUS_CONFLICT");
  CHECK(app.refusal("update_task", on(1, R"("take":true,"release":true,"claim":"b")")) == "STATUS_CONFLICT");
  CHECK(app.refusal("update_task", on(1, R"("take":true)")) == "INVALID_INPUT");
  CHECK(app.refusal("update_task", on(1, R"("block":"")")) == "INVALID_INPUT");
}

TEST_CASE("EditActs.ReasonsAreAsLongAsThoseOfTheVerb") {
  TestApp app;
  std::string const reason = std::string(300, 'x') + "\\nand more";
  std::string const told = std::string(300, 'x') + "\nand more";
  app.create("Task", R"("status":"todo")");
  CHECK(app.task("update_task", on(1, "\"block\":\"" + reason + "\"")).block_reason == told);
  app.create("Other", R"("status":"todo","claim":"bob")");
  CHECK(app.task("handoff_task", on(2, R"("claim":"bob","block":")" + reason + "\"")).block_reason == told);
  CHECK(app.refusal("update_task", on(1, R"("block":" ")")) == "INVALID_INPUT");
}

TEST_CASE("EditActs.ClaimsAreHeededWhereThatIsAsked") {
  TestApp app("flow");
  app.create("Task", R"("claim":"bob")");
  app.answer("move_task", on(1, R"("status":"in-progress","claim":"bob")"));
  app.answer("release_task", on(1));
  CHECK(app.refusal("update_task", on(1, R"("title":"New","heed_claims":true)")) == "CLAIM_REQUIRED");
  CHECK(app.task("update_task", on(1, R"("title":"New")")).title == "New");
  CHECK(app.task("update_task", on(1, R"("title":"Newer","heed_claims":true,"claim":"bob","take":true)"))
            .claimed_by == "bob");
  CHECK(app.refusal("update_task", on(1, R"("title":"Other","claim":"eve")")) == "TASK_CLAIMED");
  CHECK(app.task("update_task", on(1, R"("release":true,"heed_claims":true)")).claimed_by.empty());
}

TEST_CASE("EditActs.OnABoardWithAColumnForItBlockedWorkGoesThere") {
  TestApp app;
  app.create("Task", R"("status":"todo","claim":"bob")");
  auto const blocked = app.task("update_task", on(1, R"("block":"no key","claim":"bob")"));
  CHECK(blocked.stage == Stage::blocked);
  CHECK(blocked.claimed_by.empty());
  CHECK(app.task("update_task", on(1, R"("unblock":true)")).status == "todo");
}

TEST_CASE("EditActs.TimesAreWhatAPersonSays") {
  TestApp app;
  app.create("Task");
  auto const task =
      app.task("update_task", on(1, R"("status":"done","completed":"2026-01-03T00:00:00Z","started":null)"));
  CHECK(andon::core::to_text(*task.completed).starts_with("2026-01-03"));
  CHECK_FALSE(task.started);
}

TEST_CASE("EditActs.ARunDoesNotSetTimesOrClaimForOthers") {
  TestApp app;
  app.add_worker("dev");
  app.create("Task", R"("status":"todo","assignee":"dev")");
  auto const run = app.start("dev");
  auto const agent = andon::test::agent(run);
  CHECK(app.refusal("update_task", on(1, R"("started":"2026-01-03T00:00:00Z")"), agent) == "FORBIDDEN");
  CHECK(app.refusal("update_task", on(1, R"("take":true,"claim":"eve")"), agent) == "FORBIDDEN");
  CHECK(app.refusal("update_task", on(1, R"("unblock":true)"), agent) == "FORBIDDEN");
}

TEST_CASE("Handoff.MayBlockAndNoteInTheSameUnit") {
  TestApp app("flow");
  app.create("Task", R"("body":"Brief")");
  auto const task = app.task(
      "handoff_task",
      on(1, R"("claim":"bob","take":true,"note":"Half","append_body":"Half","block":"key","release":true)"));
  CHECK(task.status == "review");
  CHECK(task.body == "Brief\n\nHalf");
  CHECK(task.blocked);
  CHECK(task.claimed_by.empty());
}

TEST_CASE("Handoff.TakesAClaimOnWorkThatWaitsExceptForAWorker") {
  TestApp app("flow");
  app.create("First");
  app.create("Second", R"("depends_on":[1])");
  app.add_worker("robot");
  CHECK(app.refusal("handoff_task", on(2, R"("claim":"robot","take":true)")) == "DEPENDENCY_OPEN");
  auto const task = app.task("handoff_task", on(2, R"("claim":"bob","take":true)"));
  CHECK(task.status == "review");
  CHECK(task.claimed_by == "bob");
}

TEST_CASE("Edit.TakesAClaimOnWorkThatWaitsExceptForAWorker") {
  TestApp app("flow");
  app.create("First");
  app.create("Second", R"("depends_on":[1])");
  app.add_worker("robot");
  CHECK(app.refusal("update_task", on(2, R"("claim":"robot","take":true)")) == "DEPENDENCY_OPEN");
  CHECK(app.task("update_task", on(2, R"("claim":"bob","take":true)")).claimed_by == "bob");
}

TEST_CASE("Handoff.MayInsistOnAReview") {
  TestApp app;
  app.create("Task", R"("status":"todo")");
  CHECK(app.refusal("handoff_task", on(1, R"("to_review":true)")) == "INVALID_INPUT");
  CHECK(app.task("handoff_task", on(1)).status == "todo");
}

TEST_CASE("Answers.OfChangesCarryTheBrief") {
  TestApp app("flow");
  app.create("Task", R"("body":"Brief")");
  CHECK(app.task("update_task", on(1, R"("title":"New")")).body == "Brief");
  CHECK(app.task("move_task", on(1, R"("status":"todo")")).body == "Brief");
  CHECK(app.task("move_task", on(1, R"("status":"todo")")).body == "Brief");
  CHECK(app.task("archive_task", on(1)).body == "Brief");
}

TEST_CASE("Board.KeepsHowATerminalShowsIt") {
  TestApp app("flow");
  app.answer("edit_board",
             R"({"board":"flow","description":"For all","tui":{"title_lines":3,"age_thresholds":[]}})");
  auto const board = app.answer("get_board", R"({"board":"flow"})");
  CHECK(board.contains(R"("description":"For all")"));
  CHECK(board.contains(R"("tui":{"title_lines":3,"age_thresholds":[]})"));
  CHECK(app.refusal("edit_board", R"({"board":"flow","tui":{"title_lines":4,"age_thresholds":[]}})") ==
        "INVALID_INPUT");
}
