#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::on;
using test::TestApp;

namespace {

void limit(TestApp& app, std::string const& limits) {
  app.answer("edit_board", R"({"board":")" + app.board + R"(","wip_limits":{)" + limits + "}}");
}

/// A task of a strict board that `name` works on.
core::Task task_in_work(TestApp& app, std::string const& name) {
  auto const task = app.create("Task", R"("status":"ready")");
  auto const who = "\"claim\":\"" + name + "\"";
  app.task("claim_task", on(task.id, "\"by\":\"" + name + "\""));
  return app.task("start_task", on(task.id, who));
}

std::int64_t count(TestApp& app, std::string_view column) {
  std::int64_t n = 0;
  app.executor.read([&](service::OperationContext& u) {
    auto const load = u.tx.load(u.tx.board(app.board)->id);
    if (auto const found = load.columns.find(column); found != load.columns.end()) n = found->second;
  });
  return n;
}

}  // namespace

TEST_CASE("Wip.WhoeverHandsOnWorkIsRefusedByAFullColumn") {
  TestApp app("queue");
  auto const first = task_in_work(app, "bob"), second = task_in_work(app, "eve");
  limit(app, R"("needs_review":1)");
  app.task("complete_task", on(first.id, R"("claim":"bob")"));
  for (auto const* operation : {"complete_task", "submit_task", "handoff_task"}) {
    auto const error = app.error(operation, on(second.id, R"("claim":"eve")"));
    CHECK(error.code == core::Code::kWipLimitExceeded);
    CHECK(error.field == "status");
    CHECK(error.message.starts_with("needs_review is full (1/1)"));
  }
  app.task("accept_task", on(first.id));
  CHECK(app.task("complete_task", on(second.id, R"("claim":"eve")")).stage == Stage::review);
}

TEST_CASE("Wip.ARejectionFindsRoomOrIsRefused") {
  TestApp app("queue");
  auto const task = task_in_work(app, "bob");
  app.task("complete_task", on(task.id, R"("claim":"bob")"));
  app.create("Other", R"("status":"ready")");
  limit(app, R"("ready":1)");
  CHECK(app.refusal("reject_task", on(task.id, R"("reason":"no tests")")) == "WIP_LIMIT_EXCEEDED");
  app.task("pick_task", R"({"by":"eve"})");
  CHECK(app.task("reject_task", on(task.id, R"("reason":"no tests")")).stage == Stage::ready);
}

TEST_CASE("Wip.UnblockRetryAndApproveFindRoomOrAreRefused") {
  TestApp app;
  auto const blocked = app.create("Blocked", R"("status":"todo")");
  app.task("block_task", on(blocked.id, R"("reason":"no key")"));
  app.create("Other", R"("status":"todo")");
  auto const idea = app.create("Idea");
  limit(app, R"("todo":1)");
  CHECK(app.refusal("unblock_task", on(blocked.id)) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal("approve_task", on(idea.id)) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal("update_task", on(idea.id, R"("status":"todo")")) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal("create_task", R"({"title":"x","status":"todo"})") == "WIP_LIMIT_EXCEEDED");
}

TEST_CASE("Wip.RecoveredWorkWaitsInTheBacklogForRoomAndComesBackByItself") {
  TestApp app("queue");
  auto const task = task_in_work(app, "bob");
  auto const other = app.create("Other", R"("status":"ready")");
  limit(app, R"("ready":1)");
  app.clock.advance(61min);
  app.answer("sweep", "{}");
  auto const waiting = app.get(task.id);
  CHECK(waiting.stage == Stage::backlog);
  CHECK(waiting.approved);
  CHECK(count(app, "ready") == 1);
  CHECK(app.task("pick_task", R"({"by":"eve"})").id == other.id);
  CHECK(app.get(task.id).stage == Stage::ready);
  CHECK(count(app, "ready") == 1);
}

TEST_CASE("Wip.AFailedAttemptAndAReleaseWaitForRoomToo") {
  TestApp app("queue");
  auto const failing = task_in_work(app, "bob"), released = task_in_work(app, "eve");
  app.create("Other", R"("status":"ready")");
  limit(app, R"("ready":1)");
  CHECK(app.task("fail_task", on(failing.id, R"("reason":"x","claim":"bob")")).stage == Stage::backlog);
  CHECK(app.task("release_task", on(released.id)).stage == Stage::backlog);
  limit(app, R"("ready":2)");
  CHECK(app.get(failing.id).stage == Stage::ready);
  CHECK(app.get(released.id).stage == Stage::backlog);
  limit(app, R"("ready":0)");
  CHECK(count(app, "ready") == 3);
}

TEST_CASE("Wip.WhatARunFinishedEntersAFullReviewAndTheHistorySaysSo") {
  TestApp app("queue");
  app.add_worker("dev", R"("takes_unassigned":true)");
  auto const waiting = task_in_work(app, "bob");
  app.task("complete_task", on(waiting.id, R"("claim":"bob")"));
  limit(app, R"("needs_review":1)");
  auto const task = app.create("Task", R"("status":"ready")");
  auto const run = app.start("dev");
  auto const seq = app.last_seq();
  app.finish(run);
  CHECK(app.get(task.id).stage == Stage::review);
  CHECK(app.kinds(seq).front() == "limit.reached");
}

TEST_CASE("Wip.AFullReviewHoldsBackPicks") {
  TestApp app("queue");
  app.answer("edit_board",
             R"({"board":"queue","columns":[{"name":"pending","stage":"backlog"},{"name":"ready"},
      {"name":"claimed","stage":"claimed"},{"name":"in_progress","stage":"active"},
      {"name":"needs_review","stage":"review","wip_limit":2,"holds_back":"Ready"},
      {"name":"completed","stage":"done"},{"name":"failed","stage":"failed"}]})");
  std::vector<core::Task> work;
  for (auto const* name : {"a", "b"}) work.push_back(task_in_work(app, name));
  for (int i = 0; i < 3; ++i) app.create("Waits", R"("status":"ready")");
  app.task("complete_task", on(work[0].id, R"("claim":"a")"));
  CHECK(app.task("pick_task", R"({"by":"c"})").stage == Stage::claimed);
  app.task("complete_task", on(work[1].id, R"("claim":"b")"));
  auto const error = app.error("pick_task", R"({"by":"d"})");
  CHECK(error.code == core::Code::kNothingToPick);
  CHECK(error.message.find("2 wip") != std::string::npos);
  app.add_worker("dev", R"("takes_unassigned":true)");
  CHECK(app.refusal("dispatch_next", R"({"worker":"dev"})") == "NOTHING_TO_PICK");
  app.task("accept_task", on(work[0].id));
  CHECK(app.task("pick_task", R"({"by":"d"})").stage == Stage::claimed);
}

TEST_CASE("Wip.ALimitBelowWhatIsThereMovesNothingAndLetsNobodyIn") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("Task", R"("status":"todo")");
  limit(app, R"("todo":1)");
  CHECK(count(app, "todo") == 3);
  CHECK(
      app.error("create_task", R"({"title":"x","status":"todo"})").message.starts_with("todo is full (3/1)"));
  app.move(1, "done");
  CHECK(app.refusal("move_task", on(1, R"("status":"todo")")) == "WIP_LIMIT_EXCEEDED");
  CHECK(app.refusal("edit_board", R"({"board":"classic","wip_limits":{"todo":-1}})") == "INVALID_INPUT");
  CHECK(app.refusal("edit_board", R"({"board":"classic","wip_limits":{"nowhere":1}})") == "INVALID_STATUS");
}

TEST_CASE("Wip.ExpediteEntersFullColumnsAndHasItsOwnLimitEverywhere") {
  TestApp app;
  app.create("Task", R"("status":"todo")");
  limit(app, R"("todo":1)");
  auto const urgent = app.create("Urgent", R"("status":"todo","class":"expedite")");
  CHECK(urgent.stage == Stage::ready);
  CHECK(app.error("create_task", R"({"title":"x","class":"expedite"})").field == "class");
  CHECK(app.refusal("update_task", on(1, R"("class":"expedite")")) == "CLASS_WIP_EXCEEDED");
  app.move(urgent.id, "done");
  app.task("update_task", on(1, R"("class":"expedite")"));
  CHECK(app.refusal("move_task", on(urgent.id, R"("status":"todo")")) == "CLASS_WIP_EXCEEDED");
}

TEST_CASE("Wip.AChainedTaskThatFoundNoRoomComesOutOnAnyBoard") {
  TestApp app;
  limit(app, R"("todo":1)");
  app.create("Start", R"("status":"todo","next_tasks":[{"title":"A"},{"title":"B"}])");
  app.task("complete_task", on(1));
  CHECK(app.get(3).stage == Stage::backlog);
  CHECK(app.refusal("approve_task", on(3)) == "WIP_LIMIT_EXCEEDED");
  app.task("complete_task", on(2));
  CHECK(app.get(3).stage == Stage::ready);
}

TEST_CASE("Wip.ARunWhoseTaskMayNotBeginAnyMoreIsWithdrawn") {
  TestApp app;
  app.add_worker("dev");
  app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const task = app.create("Task", R"("status":"todo","assignee":"dev")");
  auto const other = app.create("Other", R"("status":"todo")");
  auto const run = app.run("dispatch_next", R"({"worker":"dev"})");
  app.task("update_task", on(task.id, "\"force\":true,\"add_deps\":[" + std::to_string(other.id) + "]"));
  auto const begin = on(run.id, "\"token_hash\":\"" + std::string(64, 'b') + "\"");
  CHECK(app.refusal("begin_run", begin) == "DEPENDENCY_OPEN");
  app.finish(run, R"("stopped_because":"withdrawn","result":"waits for #2")");
  auto const after = app.get(task.id);
  CHECK(after.stage == Stage::ready);
  CHECK(after.attempt == 0);
}

TEST_CASE("Wip.WhatIsInAClassAlreadyGoesOnAlthoughItsLimitWasLowered") {
  TestApp app;
  auto const limit_to = [&](std::string const& n) {
    app.answer("edit_board", R"({"board":"classic","classes":[{"name":"expedite","wip_limit":)" + n +
                                 R"(},{"name":"standard"}]})");
  };
  limit_to("3");
  for (int i = 0; i < 3; ++i) app.create("Urgent", R"("status":"todo","class":"expedite")");
  limit_to("1");
  CHECK(app.move(1, "in_progress").stage == Stage::active);
  CHECK(app.task("update_task", on(2, R"("class":"expedite","title":"More urgent")")).title == "More urgent");
  app.task("block_task", on(2, R"("reason":"no key")"));
  CHECK(app.task("unblock_task", on(2)).stage == Stage::ready);
  CHECK(app.task("pick_task", R"({"by":"bob","status":["todo"],"move":"in_progress"})").id == 2);
  CHECK(app.refusal("create_task", R"({"title":"x","class":"expedite"})") == "CLASS_WIP_EXCEEDED");
  CHECK(app.task("complete_task", on(1)).stage == Stage::done);
  CHECK(app.refusal("move_task", on(1, R"("status":"todo")")) == "CLASS_WIP_EXCEEDED");
}
