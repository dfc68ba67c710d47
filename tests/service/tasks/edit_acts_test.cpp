#include <doctest/doctest.h>

#include "service/house.hpp"

using andon::core::Stage;
using andon::test::House;
using andon::test::on;

TEST_CASE("EditActs.TakeBlockAndReleaseInOneUnit") {
  House house("flow");
  house.create("Task");
  auto const seq = house.last_seq();
  auto const task =
      house.task("update_task", on(1, R"("title":"New","take":true,"claim":"bob","block":"no key")"));
  CHECK(task.claimed_by == "bob");
  CHECK(task.block_reason == "no key");
  CHECK(task.status == "backlog");
  CHECK(house.kinds(seq) == std::vector<std::string>{"task.edited", "task.blocked", "task.claimed"});
  auto const then = house.last_seq();
  auto const freed = house.task("update_task", on(1, R"("unblock":true,"release":true)"));
  CHECK_FALSE(freed.blocked);
  CHECK(freed.claimed_by.empty());
  CHECK(house.kinds(then) == std::vector<std::string>{"task.edited", "task.unblocked", "task.released"});
}

TEST_CASE("EditActs.ARefusalTakesEveryPartBack") {
  House house("flow");
  house.create("Task");
  CHECK(house.refusal("update_task", on(1, R"("take":true,"claim":"bob","priority":"x")")) ==
        "INVALID_PRIORITY");
  CHECK(house.refusal("update_task", on(1, R"("take":true,"claim":"bob","status":"x")")) == "INVALID_STATUS");
  CHECK(house.refusal("update_task", on(1, R"("block":"a","unblock":true)")) == "STATUS_CONFLICT");
  CHECK(house.refusal("update_task", on(1, R"("take":true,"release":true,"claim":"b")")) ==
        "STATUS_CONFLICT");
  CHECK(house.refusal("update_task", on(1, R"("take":true)")) == "INVALID_INPUT");
  CHECK(house.refusal("update_task", on(1, R"("block":"")")) == "INVALID_INPUT");
}

TEST_CASE("EditActs.ReasonsAreAsLongAsThoseOfTheVerb") {
  House house;
  std::string const reason = std::string(300, 'x') + "\\nand more";
  std::string const told = std::string(300, 'x') + "\nand more";
  house.create("Task", R"("status":"todo")");
  CHECK(house.task("update_task", on(1, "\"block\":\"" + reason + "\"")).block_reason == told);
  house.create("Other", R"("status":"todo","claim":"bob")");
  CHECK(house.task("handoff_task", on(2, R"("claim":"bob","block":")" + reason + "\"")).block_reason == told);
  CHECK(house.refusal("update_task", on(1, R"("block":" ")")) == "INVALID_INPUT");
}

TEST_CASE("EditActs.ClaimsAreHeededWhereThatIsAsked") {
  House house("flow");
  house.create("Task", R"("claim":"bob")");
  house.answer("move_task", on(1, R"("status":"in-progress","claim":"bob")"));
  house.answer("release_task", on(1));
  CHECK(house.refusal("update_task", on(1, R"("title":"New","heed_claims":true)")) == "CLAIM_REQUIRED");
  CHECK(house.task("update_task", on(1, R"("title":"New")")).title == "New");
  CHECK(house.task("update_task", on(1, R"("title":"Newer","heed_claims":true,"claim":"bob","take":true)"))
            .claimed_by == "bob");
  CHECK(house.refusal("update_task", on(1, R"("title":"Other","claim":"eve")")) == "TASK_CLAIMED");
  CHECK(house.task("update_task", on(1, R"("release":true,"heed_claims":true)")).claimed_by.empty());
}

TEST_CASE("EditActs.OnABoardWithAColumnForItBlockedWorkGoesThere") {
  House house;
  house.create("Task", R"("status":"todo","claim":"bob")");
  auto const blocked = house.task("update_task", on(1, R"("block":"no key","claim":"bob")"));
  CHECK(blocked.stage == Stage::blocked);
  CHECK(blocked.claimed_by.empty());
  CHECK(house.task("update_task", on(1, R"("unblock":true)")).status == "todo");
}

TEST_CASE("EditActs.TimesAreWhatAPersonSays") {
  House house;
  house.create("Task");
  auto const task = house.task("update_task",
                               on(1, R"("status":"done","completed":"2026-01-03T00:00:00Z","started":null)"));
  CHECK(andon::core::to_text(*task.completed).starts_with("2026-01-03"));
  CHECK_FALSE(task.started);
}

TEST_CASE("EditActs.ARunDoesNotSetTimesOrClaimForOthers") {
  House house;
  house.add_worker("dev");
  house.create("Task", R"("status":"todo","assignee":"dev")");
  auto const run = house.start("dev");
  auto const agent = andon::test::agent(run);
  CHECK(house.refusal("update_task", on(1, R"("started":"2026-01-03T00:00:00Z")"), agent) == "FORBIDDEN");
  CHECK(house.refusal("update_task", on(1, R"("take":true,"claim":"eve")"), agent) == "FORBIDDEN");
  CHECK(house.refusal("update_task", on(1, R"("unblock":true)"), agent) == "FORBIDDEN");
}

TEST_CASE("Handoff.MayBlockAndNoteInTheSameUnit") {
  House house("flow");
  house.create("Task", R"("body":"Brief")");
  auto const task = house.task(
      "handoff_task",
      on(1, R"("claim":"bob","take":true,"note":"Half","append_body":"Half","block":"key","release":true)"));
  CHECK(task.status == "review");
  CHECK(task.body == "Brief\n\nHalf");
  CHECK(task.blocked);
  CHECK(task.claimed_by.empty());
}

TEST_CASE("Handoff.TakesAClaimOnWorkThatWaitsExceptForAWorker") {
  House house("flow");
  house.create("First");
  house.create("Second", R"("depends_on":[1])");
  house.add_worker("robot");
  CHECK(house.refusal("handoff_task", on(2, R"("claim":"robot","take":true)")) == "DEPENDENCY_OPEN");
  auto const task = house.task("handoff_task", on(2, R"("claim":"bob","take":true)"));
  CHECK(task.status == "review");
  CHECK(task.claimed_by == "bob");
}

TEST_CASE("Edit.TakesAClaimOnWorkThatWaitsExceptForAWorker") {
  House house("flow");
  house.create("First");
  house.create("Second", R"("depends_on":[1])");
  house.add_worker("robot");
  CHECK(house.refusal("update_task", on(2, R"("claim":"robot","take":true)")) == "DEPENDENCY_OPEN");
  CHECK(house.task("update_task", on(2, R"("claim":"bob","take":true)")).claimed_by == "bob");
}

TEST_CASE("Handoff.MayInsistOnAReview") {
  House house;
  house.create("Task", R"("status":"todo")");
  CHECK(house.refusal("handoff_task", on(1, R"("to_review":true)")) == "INVALID_INPUT");
  CHECK(house.task("handoff_task", on(1)).status == "todo");
}

TEST_CASE("Answers.OfChangesCarryTheBrief") {
  House house("flow");
  house.create("Task", R"("body":"Brief")");
  CHECK(house.task("update_task", on(1, R"("title":"New")")).body == "Brief");
  CHECK(house.task("move_task", on(1, R"("status":"todo")")).body == "Brief");
  CHECK(house.task("move_task", on(1, R"("status":"todo")")).body == "Brief");
  CHECK(house.task("archive_task", on(1)).body == "Brief");
}

TEST_CASE("Board.KeepsHowATerminalShowsIt") {
  House house("flow");
  house.answer("edit_board",
               R"({"board":"flow","description":"For all","tui":{"title_lines":3,"age_thresholds":[]}})");
  auto const board = house.answer("get_board", R"({"board":"flow"})");
  CHECK(board.contains(R"("description":"For all")"));
  CHECK(board.contains(R"("tui":{"title_lines":3,"age_thresholds":[]})"));
  CHECK(house.refusal("edit_board", R"({"board":"flow","tui":{"title_lines":4,"age_thresholds":[]}})") ==
        "INVALID_INPUT");
}
