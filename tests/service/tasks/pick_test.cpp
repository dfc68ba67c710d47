#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::House;
using test::on;

namespace {

/// The task that was picked, or 0.
core::TaskId picked(House& house, std::string_view request = R"({"by":"bob"})") {
  auto const answer = house.ask("pick_task", request);
  return answer ? reflect::read_json<core::Task>(*answer).value().id : 0;
}

}  // namespace

TEST_CASE("Pick.TakesByClassDuePriorityRankAndId") {
  House house;
  auto const add = [&](std::string const& members) {
    return house.create("Task", R"("status":"todo",)" + members).id;
  };
  auto const low = add(R"("priority":"low")"), high = add(R"("priority":"high")"),
             twin = add(R"("priority":"high")");
  auto const later = add(R"("class":"fixed-date","due":"2027-03-01")");
  auto const undated = add(R"("class":"fixed-date","priority":"critical")");
  auto const soon = add(R"("class":"fixed-date","due":"2027-02-01","priority":"low")");
  auto const someday = add(R"("class":"intangible","priority":"critical")");
  auto const urgent = add(R"("class":"expedite","priority":"low")");
  for (auto const id : {urgent, soon, later, undated, high, twin, low, someday}) CHECK(picked(house) == id);
  CHECK(picked(house) == 0);
}

TEST_CASE("Pick.AClassAskedForComesFirst") {
  House house;
  house.create("Plain", R"("status":"todo")");
  auto const quiet = house.create("Quiet", R"("status":"todo","class":"intangible")");
  CHECK(picked(house, R"({"by":"bob","class":"intangible"})") == quiet.id);
  CHECK(picked(house, R"({"by":"bob","class":"intangible"})") == 1);
}

TEST_CASE("Pick.LeavesWhatCannotBeStartedAndSaysWhy") {
  House house;
  house.create("Held", R"("status":"todo","claim":"eve")");
  house.task("block_task", on(house.create("Blocked", R"("status":"todo")").id, R"("reason":"no key")"));
  house.create("Waits", R"("status":"todo","depends_on":[1])");
  house.create("Later", R"("status":"todo","not_before":"2027-02-01T00:00:00Z")");
  house.create("Tagged", R"("status":"todo","tags":["ui"])");
  auto const error = house.error("pick_task", R"({"by":"bob","status":["todo"],"tags":["api"]})");
  CHECK(error.code == core::Code::kNothingToPick);
  for (auto const* reason : {"1 claimed", "1 dependency", "1 not_before", "1 tag"})
    CHECK_MESSAGE(error.message.find(reason) != std::string::npos, error.message);
  CHECK(picked(house, R"({"by":"bob","tags":["ui"]})") == 5);
}

TEST_CASE("Pick.TakesATaskWhoseClaimIsOverAndOneWhoseTimeHasCome") {
  House house;
  house.create("Held", R"("status":"todo","claim":"eve")");
  CHECK(picked(house) == 0);
  house.clock.advance(1h);
  CHECK(picked(house) == 1);
  house.task("complete_task", on(1, R"("claim":"bob")"));
  house.create("Later", R"("status":"todo","not_before":"2027-01-15T10:00:00Z")");
  CHECK(picked(house) == 0);
  house.clock.advance(24h);
  CHECK(picked(house) == 2);
}

TEST_CASE("Pick.RolesAndAssigneesDecideWhoTakesWhat") {
  House house;
  house.add_worker("dev", R"("role":"coder")");
  house.add_worker("dev2", R"("role":"coder")");
  house.add_worker("ann-bot", R"("takes_unassigned":true)");
  house.create("For qa", R"("status":"todo","role":"qa")");
  house.create("For dev2", R"("status":"todo","assignee":"dev2")");
  house.create("For coders", R"("status":"todo","role":"coder")");
  house.create("For anybody", R"("status":"todo")");
  CHECK(picked(house, R"({"worker":"dev"})") == 3);
  CHECK(picked(house, R"({"worker":"dev2"})") == 2);
  CHECK(picked(house, R"({"worker":"ann-bot"})") == 4);
  CHECK(picked(house, R"({"by":"eve","role":"qa"})") == 1);
  CHECK(house.refusal("pick_task", R"({"worker":"nobody"})") == "WORKER_NOT_FOUND");
}

TEST_CASE("Pick.AWorkerOfARoleTakesOverWhatAnotherCannotHold") {
  House house;
  for (auto const* name : {"dev", "dev2"}) house.add_worker(name, R"("role":"coder")");
  for (int i = 0; i < 2; ++i) house.create("Task", R"("status":"todo","role":"coder")");
  CHECK(picked(house, R"({"worker":"dev"})") == 1);
  CHECK(picked(house, R"({"worker":"dev2"})") == 2);
}

TEST_CASE("Pick.TwoAgentsNeverGetTheSameFiles") {
  House house;
  house.create("A", R"("status":"todo","touches":["src/cart/**"])");
  house.create("B", R"("status":"todo","touches":["src/cart/total.cpp"])");
  house.create("C", R"("status":"todo","touches":["docs/*.md"])");
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.add_worker("dev2", R"("takes_unassigned":true)");
  CHECK(picked(house, R"({"worker":"dev"})") == 1);
  CHECK(picked(house, R"({"worker":"dev2"})") == 3);
  CHECK(house.error("pick_task", R"({"by":"eve"})").message.find("1 touches") != std::string::npos);
  house.task("complete_task", on(1, R"("claim":"dev")"));
  CHECK(picked(house, R"({"by":"eve"})") == 2);
}

TEST_CASE("Pick.AFullTargetStopsItAndOnlyThatIsAWipRefusal") {
  House house;
  house.answer("edit_board",
               R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
      {"name":"in_progress","stage":"active","wip_limit":1},{"name":"done","stage":"done"}]})");
  for (int i = 0; i < 3; ++i) house.create("Task", R"("status":"todo")");
  CHECK(picked(house, R"({"by":"bob","move":"in_progress"})") == 1);
  CHECK(house.refusal("pick_task", R"({"by":"bob","status":["todo"],"move":"in_progress"})") ==
        "WIP_LIMIT_EXCEEDED");
  house.add_worker("dev", R"("takes_unassigned":true)");
  CHECK(house.error("pick_task", R"({"worker":"dev"})").message.find("2 wip") != std::string::npos);
  auto const urgent = house.create("Urgent", R"("status":"todo","class":"expedite")");
  CHECK(picked(house, R"({"worker":"dev"})") == urgent.id);
}

TEST_CASE("Pick.WhatSomebodyHoldsInAFullTargetIsNoCandidate") {
  House house("flow");
  house.answer("edit_board", R"({"board":"flow","wip_limits":{"in-progress":1}})");
  for (int i = 0; i < 2; ++i) house.create("Task", R"("status":"todo")");
  house.create("For QA", R"("status":"todo","role":"qa")");
  CHECK(picked(house, R"({"by":"bob","move":"in-progress"})") == 1);
  CHECK(house.refusal("pick_task", R"({"by":"eve","move":"in-progress"})") == "WIP_LIMIT_EXCEEDED");
  house.task("block_task", on(2, R"("reason":"no key")"));
  CHECK(house.refusal("pick_task", R"({"by":"eve","move":"in-progress"})") == "NOTHING_TO_PICK");
}

TEST_CASE("Pick.SaysHowManyAreMeantForOthers") {
  House house("queue");
  house.add_worker("dev", R"("role":"coder")");
  house.create("For QA", R"("status":"ready","role":"qa")");
  house.create("For Ann", R"("status":"ready","assignee":"ann")");
  CHECK(house.error("pick_task", R"({"worker":"dev"})").message ==
        "no unblocked, unclaimed task to pick; passed over: 2 role");
}

TEST_CASE("Pick.AFullColumnHoldsBackTheOneItNames") {
  House house;
  house.answer("edit_board",
               R"({"board":"classic","columns":[{"name":"todo"},{"name":"in_progress","stage":"active"},
      {"name":"check","stage":"review","wip_limit":1,"holds_back":"todo"},{"name":"done","stage":"done"}]})");
  house.create("Waits for a verdict", R"("status":"check")");
  auto const task = house.create("Task", R"("status":"todo")");
  CHECK(house.refusal("pick_task", R"({"by":"bob","status":["todo"]})") == "NOTHING_TO_PICK");
  house.move(1, "done");
  CHECK(picked(house, R"({"by":"bob","status":["todo"]})") == task.id);
}

TEST_CASE("Pick.PutsTheTaskWhereTheBoardSays") {
  House queue("queue");
  queue.create("Task", R"("status":"ready")");
  CHECK(queue.task("pick_task", R"({"by":"bob"})").stage == core::Stage::claimed);
  House flow("flow");
  flow.create("Task", R"("status":"todo")");
  CHECK(flow.task("pick_task", R"({"by":"bob"})").stage == core::Stage::ready);
  flow.task("release_task", on(1));
  flow.add_worker("dev", R"("takes_unassigned":true)");
  CHECK(flow.task("pick_task", R"({"worker":"dev"})").stage == core::Stage::active);
}

TEST_CASE("Pick.OpenBoardsAreSearchedInEveryColumnStrictOnesInReadyOnly") {
  House flow("flow");
  flow.create("Idea");
  CHECK(flow.task("pick_task", R"({"by":"bob"})").status == "backlog");
  House queue("queue");
  queue.create("Idea");
  CHECK(queue.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
  CHECK(queue.refusal("pick_task", R"({"by":"bob","status":["pending"],"move":"in_progress"})") ==
        "NOTHING_TO_PICK");
  CHECK(queue.refusal("pick_task", R"({"by":"bob","move":"completed"})") == "ILLEGAL_TRANSITION");
}

TEST_CASE("Pick.SeveralAtOnceAreClaimedOneByOne") {
  House house;
  for (int i = 0; i < 3; ++i) house.create("Task", R"("status":"todo")");
  house.answer("pick_tasks", R"({"by":"bob","limit":2})");
  CHECK(house.get(1).claimed_by == "bob");
  CHECK(house.get(2).claimed_by == "bob");
  CHECK(house.get(3).claimed_by.empty());
  CHECK(house.refusal("pick_tasks", R"({"by":"bob","limit":101})") == "INVALID_INPUT");
}

TEST_CASE("Pick.FindsTheFreeTaskBehindThousandsWhoseFilesAreHeld") {
  House house;
  store::write(*house.store, [&](store::Tx& tx) {
    for (int n = 0; n < 2'500; ++n) {
      core::Task task;
      task.title = "Held";
      task.board = house.board;
      task.status = n == 0 ? "in_progress" : "todo";
      task.priority = "medium";
      task.touches = {n == 0 ? "**" : "src/a"};
      if (n == 0) task.claimed_by = "bob";
      tx.add(task);
    }
    return store::Verdict::keep;
  });
  CHECK(house.error("pick_task", R"({"by":"eve"})").message.find("1000 touches") != std::string::npos);
  auto const free = house.create("Free", R"("status":"todo")");
  CHECK(picked(house, R"({"by":"eve"})") == free.id);
  house.task("move_task", on(1, R"("status":"done","claim":"bob")"));
  CHECK(picked(house, R"({"by":"eve"})") == 2);
}
