#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::House;
using test::on;

namespace {

void limit(House& house, std::string const& limits) {
  house.answer("edit_board", R"({"board":")" + house.board + R"(","wip_limits":{)" + limits + "}}");
}

/// A task of a strict board that `name` works on.
core::Task in_work(House& house, std::string const& name) {
  auto const task = house.create("Task", R"("status":"ready")");
  auto const who = "\"claim\":\"" + name + "\"";
  house.task("claim_task", on(task.id, "\"by\":\"" + name + "\""));
  return house.task("start_task", on(task.id, who));
}

std::int64_t count(House& house, std::string_view column) {
  std::int64_t n = 0;
  house.executor.read([&](service::Unit& u) {
    auto const load = u.tx.load(u.tx.board(house.board)->id);
    if (auto const found = load.columns.find(column); found != load.columns.end()) n = found->second;
  });
  return n;
}

}  // namespace

TEST_CASE("Wip.WhoeverHandsOnWorkIsRefusedByAFullColumn") {
  House house("queue");
  auto const first = in_work(house, "bob"), second = in_work(house, "eve");
  limit(house, R"("needs_review":1)");
  house.task("complete_task", on(first.id, R"("claim":"bob")"));
  for (auto const* operation : {"complete_task", "submit_task", "handoff_task"}) {
    auto const error = house.error(operation, on(second.id, R"("claim":"eve")"));
    CHECK(error.code == core::Code::kWipLimitExceeded);
    CHECK(error.field == "status");
    CHECK(error.message.starts_with("needs_review is full (1/1)"));
  }
  house.task("accept_task", on(first.id));
  CHECK(house.task("complete_task", on(second.id, R"("claim":"eve")")).stage == Stage::review);
}

TEST_CASE("Wip.ARejectionFindsRoomOrIsRefused") {
  House house("queue");
  auto const task = in_work(house, "bob");
  house.task("complete_task", on(task.id, R"("claim":"bob")"));
  house.create("Other", R"("status":"ready")");
  limit(house, R"("ready":1)");
  CHECK(house.refusal("reject_task", on(task.id, R"("reason":"no tests")")) == "WIP_LIMIT_EXCEEDED");
  house.task("pick_task", R"({"by":"eve"})");
  CHECK(house.task("reject_task", on(task.id, R"("reason":"no tests")")).stage == Stage::ready);
}

TEST_CASE("Wip.UnblockRetryAndApproveFindRoomOrAreRefused") {
  House house;
  auto const blocked = house.create("Blocked", R"("status":"todo")");
  house.task("block_task", on(blocked.id, R"("reason":"no key")"));
  house.create("Other", R"("status":"todo")");
  auto const idea = house.create("Idea");
  limit(house, R"("todo":1)");
  CHECK(house.refusal("unblock_task", on(blocked.id)) == "WIP_LIMIT_EXCEEDED");
  CHECK(house.refusal("approve_task", on(idea.id)) == "WIP_LIMIT_EXCEEDED");
  CHECK(house.refusal("update_task", on(idea.id, R"("status":"todo")")) == "WIP_LIMIT_EXCEEDED");
  CHECK(house.refusal("create_task", R"({"title":"x","status":"todo"})") == "WIP_LIMIT_EXCEEDED");
}

TEST_CASE("Wip.RecoveredWorkWaitsInTheBacklogForRoomAndComesBackByItself") {
  House house("queue");
  auto const task = in_work(house, "bob");
  auto const other = house.create("Other", R"("status":"ready")");
  limit(house, R"("ready":1)");
  house.clock.advance(61min);
  house.answer("sweep", "{}");
  auto const waiting = house.get(task.id);
  CHECK(waiting.stage == Stage::backlog);
  CHECK(waiting.approved);
  CHECK(count(house, "ready") == 1);
  CHECK(house.task("pick_task", R"({"by":"eve"})").id == other.id);
  CHECK(house.get(task.id).stage == Stage::ready);
  CHECK(count(house, "ready") == 1);
}

TEST_CASE("Wip.AFailedAttemptAndAReleaseWaitForRoomToo") {
  House house("queue");
  auto const failing = in_work(house, "bob"), released = in_work(house, "eve");
  house.create("Other", R"("status":"ready")");
  limit(house, R"("ready":1)");
  CHECK(house.task("fail_task", on(failing.id, R"("reason":"x","claim":"bob")")).stage == Stage::backlog);
  CHECK(house.task("release_task", on(released.id)).stage == Stage::backlog);
  limit(house, R"("ready":2)");
  CHECK(house.get(failing.id).stage == Stage::ready);
  CHECK(house.get(released.id).stage == Stage::backlog);
  limit(house, R"("ready":0)");
  CHECK(count(house, "ready") == 3);
}

TEST_CASE("Wip.WhatARunFinishedEntersAFullReviewAndTheHistorySaysSo") {
  House house("queue");
  house.add_worker("dev", R"("takes_unassigned":true)");
  auto const waiting = in_work(house, "bob");
  house.task("complete_task", on(waiting.id, R"("claim":"bob")"));
  limit(house, R"("needs_review":1)");
  auto const task = house.create("Task", R"("status":"ready")");
  auto const run = house.start("dev");
  auto const seq = house.last_seq();
  house.finish(run);
  CHECK(house.get(task.id).stage == Stage::review);
  CHECK(house.kinds(seq).front() == "limit.reached");
}

TEST_CASE("Wip.AFullReviewHoldsBackPicks") {
  House house("queue");
  house.answer("edit_board",
               R"({"board":"queue","columns":[{"name":"pending","stage":"backlog"},{"name":"ready"},
      {"name":"claimed","stage":"claimed"},{"name":"in_progress","stage":"active"},
      {"name":"needs_review","stage":"review","wip_limit":2,"holds_back":"Ready"},
      {"name":"completed","stage":"done"},{"name":"failed","stage":"failed"}]})");
  std::vector<core::Task> work;
  for (auto const* name : {"a", "b"}) work.push_back(in_work(house, name));
  for (int i = 0; i < 3; ++i) house.create("Waits", R"("status":"ready")");
  house.task("complete_task", on(work[0].id, R"("claim":"a")"));
  CHECK(house.task("pick_task", R"({"by":"c"})").stage == Stage::claimed);
  house.task("complete_task", on(work[1].id, R"("claim":"b")"));
  auto const error = house.error("pick_task", R"({"by":"d"})");
  CHECK(error.code == core::Code::kNothingToPick);
  CHECK(error.message.find("2 wip") != std::string::npos);
  house.add_worker("dev", R"("takes_unassigned":true)");
  CHECK(house.refusal("dispatch_next", R"({"worker":"dev"})") == "NOTHING_TO_PICK");
  house.task("accept_task", on(work[0].id));
  CHECK(house.task("pick_task", R"({"by":"d"})").stage == Stage::claimed);
}

TEST_CASE("Wip.ALimitBelowWhatIsThereMovesNothingAndLetsNobodyIn") {
  House house;
  for (int i = 0; i < 3; ++i) house.create("Task", R"("status":"todo")");
  limit(house, R"("todo":1)");
  CHECK(count(house, "todo") == 3);
  CHECK(house.error("create_task", R"({"title":"x","status":"todo"})")
            .message.starts_with("todo is full (3/1)"));
  house.move(1, "done");
  CHECK(house.refusal("move_task", on(1, R"("status":"todo")")) == "WIP_LIMIT_EXCEEDED");
  CHECK(house.refusal("edit_board", R"({"board":"classic","wip_limits":{"todo":-1}})") == "INVALID_INPUT");
  CHECK(house.refusal("edit_board", R"({"board":"classic","wip_limits":{"nowhere":1}})") == "INVALID_STATUS");
}

TEST_CASE("Wip.ExpediteEntersFullColumnsAndHasItsOwnLimitEverywhere") {
  House house;
  house.create("Task", R"("status":"todo")");
  limit(house, R"("todo":1)");
  auto const urgent = house.create("Urgent", R"("status":"todo","class":"expedite")");
  CHECK(urgent.stage == Stage::ready);
  CHECK(house.error("create_task", R"({"title":"x","class":"expedite"})").field == "class");
  CHECK(house.refusal("update_task", on(1, R"("class":"expedite")")) == "CLASS_WIP_EXCEEDED");
  house.move(urgent.id, "done");
  house.task("update_task", on(1, R"("class":"expedite")"));
  CHECK(house.refusal("move_task", on(urgent.id, R"("status":"todo")")) == "CLASS_WIP_EXCEEDED");
}

TEST_CASE("Wip.AChainedTaskThatFoundNoRoomComesOutOnAnyBoard") {
  House house;
  limit(house, R"("todo":1)");
  house.create("Start", R"("status":"todo","next_tasks":[{"title":"A"},{"title":"B"}])");
  house.task("complete_task", on(1));
  CHECK(house.get(3).stage == Stage::backlog);
  CHECK(house.refusal("approve_task", on(3)) == "WIP_LIMIT_EXCEEDED");
  house.task("complete_task", on(2));
  CHECK(house.get(3).stage == Stage::ready);
}

TEST_CASE("Wip.ARunWhoseTaskMayNotBeginAnyMoreIsWithdrawn") {
  House house;
  house.add_worker("dev");
  house.executor.write([](service::Unit& u) { return service::set_runner(u, true), true; });
  auto const task = house.create("Task", R"("status":"todo","assignee":"dev")");
  auto const other = house.create("Other", R"("status":"todo")");
  auto const run = house.run("dispatch_next", R"({"worker":"dev"})");
  house.task("update_task", on(task.id, "\"force\":true,\"add_deps\":[" + std::to_string(other.id) + "]"));
  auto const begin = on(run.id, "\"token_hash\":\"" + std::string(64, 'b') + "\"");
  CHECK(house.refusal("begin_run", begin) == "DEPENDENCY_OPEN");
  house.finish(run, R"("stopped_because":"withdrawn","result":"waits for #2")");
  auto const after = house.get(task.id);
  CHECK(after.stage == Stage::ready);
  CHECK(after.attempt == 0);
}

TEST_CASE("Wip.WhatIsInAClassAlreadyGoesOnAlthoughItsLimitWasLowered") {
  House house;
  auto const limit_to = [&](std::string const& n) {
    house.answer("edit_board", R"({"board":"classic","classes":[{"name":"expedite","wip_limit":)" + n +
                                   R"(},{"name":"standard"}]})");
  };
  limit_to("3");
  for (int i = 0; i < 3; ++i) house.create("Urgent", R"("status":"todo","class":"expedite")");
  limit_to("1");
  CHECK(house.move(1, "in_progress").stage == Stage::active);
  CHECK(house.task("update_task", on(2, R"("class":"expedite","title":"More urgent")")).title ==
        "More urgent");
  house.task("block_task", on(2, R"("reason":"no key")"));
  CHECK(house.task("unblock_task", on(2)).stage == Stage::ready);
  CHECK(house.task("pick_task", R"({"by":"bob","status":["todo"],"move":"in_progress"})").id == 2);
  CHECK(house.refusal("create_task", R"({"title":"x","class":"expedite"})") == "CLASS_WIP_EXCEEDED");
  CHECK(house.task("complete_task", on(1)).stage == Stage::done);
  CHECK(house.refusal("move_task", on(1, R"("status":"todo")")) == "CLASS_WIP_EXCEEDED");
}
