#include "service/tasks/finish.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

namespace {

/// A board of the template flow with a task that bob works on and one that is ready.
struct BobAtWork : TestApp {
  BobAtWork() : TestApp("flow") {
    create("First", {.status = "todo", .review = core::ReviewRule::none});
    create("Second", {.body = "Brief of the second", .status = "todo"});
    call<&service::pick_task>({.by = "bob", .move = "in-progress"});
  }
  service::FinishedTask complete(service::PickRequest pick) {
    return call<&service::complete_task>(
        {.id = 1, .result = "made", .pick = std::move(pick), .claim = "bob"});
  }
};

}  // namespace

TEST_CASE("Finish.TakesTheNextTaskInTheSameStep") {
  BobAtWork app;
  auto const finished = app.complete({.by = "bob", .move = "in-progress"});
  CHECK(finished.stage == core::Stage::done);
  REQUIRE(finished.picked);
  CHECK(finished.picked->id == core::TaskId{2});
  CHECK(finished.picked->claimed_by == "bob");
  CHECK(finished.picked->status == "in-progress");
  CHECK(finished.picked->body == "Brief of the second");
  CHECK_FALSE(finished.not_picked);
}

TEST_CASE("Finish.EndsTheTaskEvenIfNothingWaits") {
  BobAtWork app;
  app.call<&service::block_task>({.id = 2, .reason = "no key"});
  auto const finished = app.complete({.by = "bob"});
  CHECK(finished.stage == core::Stage::done);
  CHECK_FALSE(finished.picked);
  REQUIRE(finished.not_picked);
  CHECK(finished.not_picked->code == "NOTHING_TO_PICK");
  CHECK(finished.not_picked->error.contains("1 blocked"));
  CHECK(app.get(1).stage == core::Stage::done);
}

TEST_CASE("Finish.MayPickWhatItsEndMadeReady") {
  TestApp app("flow");
  app.create("First", {.status = "todo", .review = core::ReviewRule::none});
  app.create("Second", {.status = "todo", .depends_on = {1}});
  app.call<&service::pick_task>({.by = "bob"});
  auto const finished =
      app.call<&service::complete_task>({.id = 1, .pick = service::PickRequest{.by = "bob"}, .claim = "bob"});
  REQUIRE(finished.picked);
  CHECK(finished.picked->id == core::TaskId{2});
}

TEST_CASE("Finish.IsRefusedAsAWholeWhenThePickIsAskedForInAWrongWay") {
  BobAtWork app;
  struct Row {
    service::PickRequest pick;
    std::string_view code, field;
  };
  for (auto const& row : {Row{{.by = "bob", .wait = core::Duration{1000}}, "INVALID_INPUT", "pick/wait"},
                          Row{{.by = "bob", .limit = 2}, "INVALID_INPUT", "pick/limit"},
                          Row{{.by = "bob", .boards = {"nowhere"}}, "BOARD_NOT_FOUND", "pick/boards"},
                          Row{{.by = "bob", .status = {"nowhere"}}, "INVALID_STATUS", "pick/status"}}) {
    CAPTURE(row.field);
    auto const refused = app.ask<&service::complete_task>({.id = 1, .pick = row.pick, .claim = "bob"});
    REQUIRE_FALSE(refused);
    CHECK(core::row(refused.error().code).name == row.code);
    CHECK(refused.error().field == row.field);
    CHECK(app.get(1).stage != core::Stage::done);
  }
}

TEST_CASE("Finish.OfARunPicksNothing") {
  TestApp app;
  app.add_worker("bob", {.takes_unassigned = true});
  app.create("First", {.status = "todo"});
  app.create("Second", {.status = "todo"});
  auto const run = app.start("bob");
  CHECK(app.refusal<&service::complete_task>({.id = run.task, .pick = service::PickRequest{}},
                                             test::agent(run)) == "FORBIDDEN");
  CHECK(app.get(run.task).flag.empty());
}

TEST_CASE("Finish.OfASubmittedTaskPicksToo") {
  BobAtWork app;
  auto const finished =
      app.call<&service::submit_task>({.id = 1, .pick = service::PickRequest{.by = "bob"}, .claim = "bob"});
  CHECK(finished.stage == core::Stage::review);
  REQUIRE(finished.picked);
  CHECK(finished.picked->id == core::TaskId{2});
}

TEST_CASE("Finish.WithoutAPickAnswersTheTaskAlone") {
  BobAtWork app;
  auto const finished = app.call<&service::complete_task>({.id = 1, .claim = "bob"});
  CHECK_FALSE(finished.picked);
  CHECK_FALSE(finished.not_picked);
}
