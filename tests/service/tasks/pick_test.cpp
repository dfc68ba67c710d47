#include "service/tasks/pick.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::on;
using test::TestApp;

namespace {

/// The task that was picked, or 0.
core::TaskId picked(TestApp& app, std::string_view request = R"({"by":"bob"})") {
  auto const answer = app.ask("pick_task", request);
  return answer ? reflect::read_json<core::Task>(*answer).value().id : core::TaskId{};
}

}  // namespace

TEST_CASE("Pick.TakesByClassDuePriorityRankAndId") {
  TestApp app;
  auto const add = [&](std::string const& members) {
    return app.create("Task", R"("status":"todo",)" + members).id;
  };
  auto const low = add(R"("priority":"low")"), high = add(R"("priority":"high")"),
             twin = add(R"("priority":"high")");
  auto const later = add(R"("class":"fixed-date","due":"2027-03-01")");
  auto const undated = add(R"("class":"fixed-date","priority":"critical")");
  auto const soon = add(R"("class":"fixed-date","due":"2027-02-01","priority":"low")");
  auto const someday = add(R"("class":"intangible","priority":"critical")");
  auto const urgent = add(R"("class":"expedite","priority":"low")");
  for (auto const id : {urgent, soon, later, undated, high, twin, low, someday}) CHECK(picked(app) == id);
  CHECK(picked(app) == 0);
}

TEST_CASE("Pick.AClassAskedForComesFirst") {
  TestApp app;
  app.create("Plain", R"("status":"todo")");
  auto const quiet = app.create("Quiet", R"("status":"todo","class":"intangible")");
  CHECK(picked(app, R"({"by":"bob","class":"intangible"})") == quiet.id);
  CHECK(picked(app, R"({"by":"bob","class":"intangible"})") == 1);
}

TEST_CASE("Pick.LeavesWhatCannotBeStartedAndSaysWhy") {
  TestApp app;
  app.create("Held", R"("status":"todo","claim":"eve")");
  app.task("block_task", on(app.create("Blocked", R"("status":"todo")").id, R"("reason":"no key")"));
  app.create("Waits", R"("status":"todo","depends_on":[1])");
  app.create("Later", R"("status":"todo","not_before":"2027-02-01T00:00:00Z")");
  app.create("Tagged", R"("status":"todo","tags":["ui"])");
  auto const error = app.error("pick_task", R"({"by":"bob","status":["todo"],"tags":["api"]})");
  CHECK(error.code == core::Code::kNothingToPick);
  for (auto const* reason : {"1 claimed", "1 dependency", "1 not_before", "1 tag"})
    CHECK_MESSAGE(error.message.find(reason) != std::string::npos, error.message);
  CHECK(picked(app, R"({"by":"bob","tags":["ui"]})") == 5);
}

TEST_CASE("Pick.TakesATaskWhoseClaimIsOverAndOneWhoseTimeHasCome") {
  TestApp app;
  app.create("Held", R"("status":"todo","claim":"eve")");
  CHECK(picked(app) == 0);
  app.clock.advance(1h);
  CHECK(picked(app) == 1);
  app.task("complete_task", on(1, R"("claim":"bob")"));
  app.create("Later", R"("status":"todo","not_before":"2027-01-15T10:00:00Z")");
  CHECK(picked(app) == 0);
  app.clock.advance(24h);
  CHECK(picked(app) == 2);
}

TEST_CASE("Pick.RolesAndAssigneesDecideWhoTakesWhat") {
  TestApp app;
  app.add_worker("dev", R"("role":"coder")");
  app.add_worker("dev2", R"("role":"coder")");
  app.add_worker("ann-bot", R"("takes_unassigned":true)");
  app.create("For qa", R"("status":"todo","role":"qa")");
  app.create("For dev2", R"("status":"todo","assignee":"dev2")");
  app.create("For coders", R"("status":"todo","role":"coder")");
  app.create("For anybody", R"("status":"todo")");
  CHECK(picked(app, R"({"worker":"dev"})") == 3);
  CHECK(picked(app, R"({"worker":"dev2"})") == 2);
  CHECK(picked(app, R"({"worker":"ann-bot"})") == 4);
  CHECK(picked(app, R"({"by":"eve","role":"qa"})") == 1);
  CHECK(app.refusal("pick_task", R"({"worker":"nobody"})") == "WORKER_NOT_FOUND");
}

TEST_CASE("Pick.AWorkerOfARoleTakesOverWhatAnotherCannotHold") {
  TestApp app;
  for (auto const* name : {"dev", "dev2"}) app.add_worker(name, R"("role":"coder")");
  for (int i = 0; i < 2; ++i) app.create("Task", R"("status":"todo","role":"coder")");
  CHECK(picked(app, R"({"worker":"dev"})") == 1);
  CHECK(picked(app, R"({"worker":"dev2"})") == 2);
}

TEST_CASE("Pick.TwoAgentsNeverGetTheSameFiles") {
  TestApp app;
  app.create("A", R"("status":"todo","touches":["src/cart/**"])");
  app.create("B", R"("status":"todo","touches":["src/cart/total.cpp"])");
  app.create("C", R"("status":"todo","touches":["docs/*.md"])");
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.add_worker("dev2", R"("takes_unassigned":true)");
  CHECK(picked(app, R"({"worker":"dev"})") == 1);
  CHECK(picked(app, R"({"worker":"dev2"})") == 3);
  CHECK(app.error("pick_task", R"({"by":"eve"})").message.find("1 touches") != std::string::npos);
  app.task("complete_task", on(1, R"("claim":"dev")"));
  CHECK(picked(app, R"({"by":"eve"})") == 2);
}

TEST_CASE("Pick.AFullTargetStopsItAndOnlyThatIsAWipRefusal") {
  TestApp app;
  app.answer("edit_board",
             R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
      {"name":"in_progress","stage":"active","wip_limit":1},{"name":"done","stage":"done"}]})");
  for (int i = 0; i < 3; ++i) app.create("Task", R"("status":"todo")");
  CHECK(picked(app, R"({"by":"bob","move":"in_progress"})") == 1);
  CHECK(app.refusal("pick_task", R"({"by":"bob","status":["todo"],"move":"in_progress"})") ==
        "WIP_LIMIT_EXCEEDED");
  app.add_worker("dev", R"("takes_unassigned":true)");
  CHECK(app.error("pick_task", R"({"worker":"dev"})").message.find("2 wip") != std::string::npos);
  auto const urgent = app.create("Urgent", R"("status":"todo","class":"expedite")");
  CHECK(picked(app, R"({"worker":"dev"})") == urgent.id);
}

TEST_CASE("Pick.WhatSomebodyHoldsInAFullTargetIsNoCandidate") {
  TestApp app("flow");
  app.answer("edit_board", R"({"board":"flow","wip_limits":{"in-progress":1}})");
  for (int i = 0; i < 2; ++i) app.create("Task", R"("status":"todo")");
  app.create("For QA", R"("status":"todo","role":"qa")");
  CHECK(picked(app, R"({"by":"bob","move":"in-progress"})") == 1);
  CHECK(app.refusal("pick_task", R"({"by":"eve","move":"in-progress"})") == "WIP_LIMIT_EXCEEDED");
  app.task("block_task", on(2, R"("reason":"no key")"));
  CHECK(app.refusal("pick_task", R"({"by":"eve","move":"in-progress"})") == "NOTHING_TO_PICK");
}

TEST_CASE("Pick.SaysHowManyAreMeantForOthers") {
  TestApp app("queue");
  app.add_worker("dev", R"("role":"coder")");
  app.create("For QA", R"("status":"ready","role":"qa")");
  app.create("For Ann", R"("status":"ready","assignee":"ann")");
  CHECK(app.error("pick_task", R"({"worker":"dev"})").message ==
        "no unblocked, unclaimed task to pick; passed over: 2 role");
}

TEST_CASE("Pick.AFullColumnHoldsBackTheOneItNames") {
  TestApp app;
  app.answer("edit_board",
             R"({"board":"classic","columns":[{"name":"todo"},{"name":"in_progress","stage":"active"},
      {"name":"check","stage":"review","wip_limit":1,"holds_back":"todo"},{"name":"done","stage":"done"}]})");
  app.create("Waits for a verdict", R"("status":"check")");
  auto const task = app.create("Task", R"("status":"todo")");
  CHECK(app.refusal("pick_task", R"({"by":"bob","status":["todo"]})") == "NOTHING_TO_PICK");
  app.move(1, "done");
  CHECK(picked(app, R"({"by":"bob","status":["todo"]})") == task.id);
}

TEST_CASE("Pick.PutsTheTaskWhereTheBoardSays") {
  TestApp queue("queue");
  queue.create("Task", R"("status":"ready")");
  CHECK(queue.task("pick_task", R"({"by":"bob"})").stage == core::Stage::claimed);
  TestApp flow("flow");
  flow.create("Task", R"("status":"todo")");
  CHECK(flow.task("pick_task", R"({"by":"bob"})").stage == core::Stage::ready);
  flow.task("release_task", on(1));
  flow.add_worker("dev", R"("takes_unassigned":true)");
  CHECK(flow.task("pick_task", R"({"worker":"dev"})").stage == core::Stage::active);
}

TEST_CASE("Pick.OpenBoardsAreSearchedInEveryColumnStrictOnesInReadyOnly") {
  TestApp flow("flow");
  flow.create("Idea");
  CHECK(flow.task("pick_task", R"({"by":"bob"})").status == "backlog");
  TestApp queue("queue");
  queue.create("Idea");
  CHECK(queue.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
  CHECK(queue.refusal("pick_task", R"({"by":"bob","status":["pending"],"move":"in_progress"})") ==
        "NOTHING_TO_PICK");
  CHECK(queue.refusal("pick_task", R"({"by":"bob","move":"completed"})") == "ILLEGAL_TRANSITION");
}

TEST_CASE("Pick.SeveralAtOnceAreClaimedOneByOne") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("Task", R"("status":"todo")");
  app.answer("pick_tasks", R"({"by":"bob","limit":2})");
  CHECK(app.get(1).claimed_by == "bob");
  CHECK(app.get(2).claimed_by == "bob");
  CHECK(app.get(3).claimed_by.empty());
  CHECK(app.refusal("pick_tasks", R"({"by":"bob","limit":101})") == "INVALID_INPUT");
}

TEST_CASE("Pick.FindsTheFreeTaskBehindThousandsWhoseFilesAreHeld") {
  TestApp app;
  store::write(*app.store, [&](store::Tx& tx) {
    for (int n = 0; n < 2'500; ++n) {
      core::Task task;
      task.title = "Held";
      task.board = app.board;
      task.status = n == 0 ? "in_progress" : "todo";
      task.priority = "medium";
      task.touches = {n == 0 ? "**" : "src/a"};
      if (n == 0) task.claimed_by = "bob";
      tx.add(task);
    }
    return store::Outcome::commit;
  });
  CHECK(app.error("pick_task", R"({"by":"eve"})").message.find("1000 touches") != std::string::npos);
  auto const free = app.create("Free", R"("status":"todo")");
  CHECK(picked(app, R"({"by":"eve"})") == free.id);
  app.task("move_task", on(1, R"("status":"done","claim":"bob")"));
  CHECK(picked(app, R"({"by":"eve"})") == 2);
}

TEST_CASE("Pick.SaysThatItHasNotLookedAtEveryTaskAndGoesOn") {
  TestApp app;
  app.create("Holds", R"("status":"in-progress","claim":"eve","touches":["src/**"])");
  for (int n = 0; n < 1'500; ++n) app.create("Held", R"("status":"todo","touches":["src/a"])");
  auto const free = app.create("Free", R"("status":"todo")");
  // One run of the unit alone, as the store runs it when the time for looking is over.
  auto const look = [&] {
    core::Result<core::Task> out;
    store::write(*app.store, [&](store::Tx& tx) {
      auto const caller = test::ann();
      service::OperationContext ctx{tx, app.clock.now(), caller};
      service::PickRequest request;
      request.by = "bob";
      request.status = {"todo"};
      out = service::pick_task(ctx, request);
      return out ? store::Outcome::commit : store::Outcome::rollback;
    });
    return out;
  };
  auto const first = look();
  REQUIRE(!first);
  CHECK(first.error().code == core::Code::kPickUnfinished);
  CHECK(first.error().message.find("passed over 1000 tasks or more") != std::string::npos);
  auto const second = look();
  REQUIRE_MESSAGE(second, second.error().message);
  CHECK(second->id == free.id);
  CHECK(app.refusal("pick_task", R"({"by":"bob","status":["todo"]})") == "NOTHING_TO_PICK");
}
