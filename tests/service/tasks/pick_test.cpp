#include "service/tasks/pick.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

/// The task that was picked, or 0.
core::TaskId picked(TestApp& app, service::PickRequest const& request = {.by = "bob"}) {
  auto const answer = app.ask<&service::pick_task>(request);
  return answer ? answer->id : core::TaskId{};
}

}  // namespace

TEST_CASE("Pick.TakesByClassDuePriorityRankAndId") {
  TestApp app;
  auto const add = [&](service::CreateTaskRequest request) {
    request.status = "todo";
    return app.create("Task", request).id;
  };
  auto const low = add({.priority = service::PriorityName{"low"}}),
             high = add({.priority = service::PriorityName{"high"}}),
             twin = add({.priority = service::PriorityName{"high"}});
  auto const later = add({.due = core::parse_date("2027-03-01"), .class_ = "fixed-date"});
  auto const undated = add({.priority = service::PriorityName{"critical"}, .class_ = "fixed-date"});
  auto const soon = add({.priority = service::PriorityName{"low"},
                         .due = core::parse_date("2027-02-01"),
                         .class_ = "fixed-date"});
  auto const someday = add({.priority = service::PriorityName{"critical"}, .class_ = "intangible"});
  auto const urgent = add({.priority = service::PriorityName{"low"}, .class_ = "expedite"});
  for (auto const id : {urgent, soon, later, undated, high, twin, low, someday}) CHECK(picked(app) == id);
  CHECK(picked(app) == 0);
}

TEST_CASE("Pick.AClassAskedForComesFirst") {
  TestApp app;
  app.create("Plain", {.status = "todo"});
  auto const quiet = app.create("Quiet", {.status = "todo", .class_ = "intangible"});
  CHECK(picked(app, {.by = "bob", .class_ = "intangible"}) == quiet.id);
  CHECK(picked(app, {.by = "bob", .class_ = "intangible"}) == 1);
}

TEST_CASE("Pick.LeavesWhatCannotBeStartedAndSaysWhy") {
  TestApp app;
  app.create("Held", {.status = "todo", .claim = "eve"});
  app.call<&service::block_task>({.id = app.create("Blocked", {.status = "todo"}).id, .reason = "no key"});
  app.create("Waits", {.status = "todo", .depends_on = {1}});
  app.create("Later", {.status = "todo", .not_before = core::parse_instant("2027-02-01T00:00:00Z")});
  app.create("Tagged", {.status = "todo", .tags = {"ui"}});
  auto const error = app.error<&service::pick_task>({.by = "bob", .status = {"todo"}, .tags = {"api"}});
  CHECK(error.code == core::Code::kNothingToPick);
  for (auto const* reason : {"1 claimed", "1 dependency", "1 not_before", "1 tag"})
    CHECK_MESSAGE(error.message.find(reason) != std::string::npos, error.message);
  CHECK(picked(app, {.by = "bob", .tags = {"ui"}}) == 5);
}

TEST_CASE("Pick.TakesATaskWhoseClaimIsOverAndOneWhoseTimeHasCome") {
  TestApp app;
  app.create("Held", {.status = "todo", .claim = "eve"});
  CHECK(picked(app) == 0);
  app.clock.advance(1h);
  CHECK(picked(app) == 1);
  app.call<&service::complete_task>({.id = 1, .claim = "bob"});
  app.create("Later", {.status = "todo", .not_before = core::parse_instant("2027-01-15T10:00:00Z")});
  CHECK(picked(app) == 0);
  app.clock.advance(24h);
  CHECK(picked(app) == 2);
}

TEST_CASE("Pick.RolesAndAssigneesDecideWhoTakesWhat") {
  TestApp app;
  app.add_worker("dev", {.role = "coder"});
  app.add_worker("dev2", {.role = "coder"});
  app.add_worker("ann-bot", {.takes_unassigned = true});
  app.create("For qa", {.status = "todo", .role = "qa"});
  app.create("For dev2", {.status = "todo", .assignee = "dev2"});
  app.create("For coders", {.status = "todo", .role = "coder"});
  app.create("For anybody", {.status = "todo"});
  CHECK(picked(app, {.worker = "dev"}) == 3);
  CHECK(picked(app, {.worker = "dev2"}) == 2);
  CHECK(picked(app, {.worker = "ann-bot"}) == 4);
  CHECK(picked(app, {.by = "eve", .role = "qa"}) == 1);
  CHECK(app.refusal<&service::pick_task>({.worker = "nobody"}) == "WORKER_NOT_FOUND");
}

TEST_CASE("Pick.AWorkerOfARoleTakesOverWhatAnotherCannotHold") {
  TestApp app;
  for (auto const* name : {"dev", "dev2"}) app.add_worker(name, {.role = "coder"});
  for (int i = 0; i < 2; ++i) app.create("Task", {.status = "todo", .role = "coder"});
  CHECK(picked(app, {.worker = "dev"}) == 1);
  CHECK(picked(app, {.worker = "dev2"}) == 2);
}

TEST_CASE("Pick.TwoAgentsNeverGetTheSameFiles") {
  TestApp app;
  app.create("A", {.status = "todo", .touches = {"src/cart/**"}});
  app.create("B", {.status = "todo", .touches = {"src/cart/total.cpp"}});
  app.create("C", {.status = "todo", .touches = {"docs/*.md"}});
  app.add_worker("dev", {.takes_unassigned = true});
  app.add_worker("dev2", {.takes_unassigned = true});
  CHECK(picked(app, {.worker = "dev"}) == 1);
  CHECK(picked(app, {.worker = "dev2"}) == 3);
  CHECK(app.error<&service::pick_task>({.by = "eve"}).message.find("1 touches") != std::string::npos);
  app.call<&service::complete_task>({.id = 1, .claim = "dev"});
  CHECK(picked(app, {.by = "eve"}) == 2);
}

TEST_CASE("Pick.AFullTargetStopsItAndOnlyThatIsAWipRefusal") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns =
            std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                      {.name = "todo"},
                                      {.name = "in_progress", .stage = core::Stage::active, .wip_limit = 1},
                                      {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  for (int i = 0; i < 3; ++i) app.create("Task", {.status = "todo"});
  CHECK(picked(app, {.by = "bob", .move = "in_progress"}) == 1);
  CHECK(app.refusal<&service::pick_task>({.by = "bob", .status = {"todo"}, .move = "in_progress"}) ==
        "WIP_LIMIT_EXCEEDED");
  app.add_worker("dev", {.takes_unassigned = true});
  CHECK(app.error<&service::pick_task>({.worker = "dev"}).message.find("2 wip") != std::string::npos);
  auto const urgent = app.create("Urgent", {.status = "todo", .class_ = "expedite"});
  CHECK(picked(app, {.worker = "dev"}) == urgent.id);
}

TEST_CASE("Pick.WhatSomebodyHoldsInAFullTargetIsNoCandidate") {
  TestApp app("flow");
  app.call<&service::edit_board>(
      test::board_edit("flow", [](auto& edit) { edit.wip_limits = {{"in-progress", 1}}; }));
  for (int i = 0; i < 2; ++i) app.create("Task", {.status = "todo"});
  app.create("For QA", {.status = "todo", .role = "qa"});
  CHECK(picked(app, {.by = "bob", .move = "in-progress"}) == 1);
  CHECK(app.refusal<&service::pick_task>({.by = "eve", .move = "in-progress"}) == "WIP_LIMIT_EXCEEDED");
  app.call<&service::block_task>({.id = 2, .reason = "no key"});
  CHECK(app.refusal<&service::pick_task>({.by = "eve", .move = "in-progress"}) == "NOTHING_TO_PICK");
}

TEST_CASE("Pick.SaysHowManyAreMeantForOthers") {
  TestApp app("queue");
  app.add_worker("dev", {.role = "coder"});
  app.create("For QA", {.status = "ready", .role = "qa"});
  app.create("For Ann", {.status = "ready", .assignee = "ann"});
  CHECK(app.error<&service::pick_task>({.worker = "dev"}).message ==
        "no unblocked, unclaimed task to pick; passed over: 2 role");
}

TEST_CASE("Pick.AFullColumnHoldsBackTheOneItNames") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns =
            std::vector<core::Column>{
                {.name = "todo"},
                {.name = "in_progress", .stage = core::Stage::active},
                {.name = "check", .stage = core::Stage::review, .wip_limit = 1, .holds_back = "todo"},
                {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  app.create("Waits for a verdict", {.status = "check"});
  auto const task = app.create("Task", {.status = "todo"});
  CHECK(app.refusal<&service::pick_task>({.by = "bob", .status = {"todo"}}) == "NOTHING_TO_PICK");
  app.move(1, "done");
  CHECK(picked(app, {.by = "bob", .status = {"todo"}}) == task.id);
}

TEST_CASE("Pick.PutsTheTaskWhereTheBoardSays") {
  TestApp queue("queue");
  queue.create("Task", {.status = "ready"});
  CHECK(queue.call<&service::pick_task>({.by = "bob"}).stage == core::Stage::claimed);
  TestApp flow("flow");
  flow.create("Task", {.status = "todo"});
  CHECK(flow.call<&service::pick_task>({.by = "bob"}).stage == core::Stage::ready);
  flow.call<&service::release_task>({.id = 1});
  flow.add_worker("dev", {.takes_unassigned = true});
  CHECK(flow.call<&service::pick_task>({.worker = "dev"}).stage == core::Stage::active);
}

TEST_CASE("Pick.OpenBoardsAreSearchedInEveryColumnStrictOnesInReadyOnly") {
  TestApp flow("flow");
  flow.create("Idea");
  CHECK(flow.call<&service::pick_task>({.by = "bob"}).status == "backlog");
  TestApp queue("queue");
  queue.create("Idea");
  CHECK(queue.refusal<&service::pick_task>({.by = "bob"}) == "NOTHING_TO_PICK");
  CHECK(queue.refusal<&service::pick_task>({.by = "bob", .status = {"pending"}, .move = "in_progress"}) ==
        "NOTHING_TO_PICK");
  CHECK(queue.refusal<&service::pick_task>({.by = "bob", .move = "completed"}) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Pick.SeveralAtOnceAreClaimedOneByOne") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("Task", {.status = "todo"});
  app.call<&service::pick_tasks>({.by = "bob", .limit = 2});
  CHECK(app.get(1).claimed_by == "bob");
  CHECK(app.get(2).claimed_by == "bob");
  CHECK(app.get(3).claimed_by.empty());
  CHECK(app.refusal<&service::pick_tasks>({.by = "bob", .limit = 101}) == "INVALID_INPUT");
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
  CHECK(app.error<&service::pick_task>({.by = "eve"}).message.find("1000 touches") != std::string::npos);
  auto const free = app.create("Free", {.status = "todo"});
  CHECK(picked(app, {.by = "eve"}) == free.id);
  app.call<&service::move_task>({.id = 1, .status = "done", .claim = "bob"});
  CHECK(picked(app, {.by = "eve"}) == 2);
}

TEST_CASE("Pick.SaysThatItHasNotLookedAtEveryTaskAndGoesOn") {
  TestApp app;
  app.create("Holds", {.status = "in-progress", .touches = {"src/**"}, .claim = "eve"});
  for (int n = 0; n < 1'500; ++n) app.create("Held", {.status = "todo", .touches = {"src/a"}});
  auto const free = app.create("Free", {.status = "todo"});
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
  CHECK(app.refusal<&service::pick_task>({.by = "bob", .status = {"todo"}}) == "NOTHING_TO_PICK");
}
