#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::on;
using test::TestApp;

using Words = std::vector<std::string>;

TEST_CASE("Warnings.APersonsMoveOfATaskThatStillWaitsIsAllowedAndSaysSo") {
  TestApp app;
  app.create("First");
  app.create("Second");
  auto const task = app.create("Third", R"("depends_on":[1,2])");
  CHECK(app.task("move_task", on(task.id, R"("status":"todo")")).warnings.empty());
  CHECK(app.task("move_task", on(task.id, R"("status":"in_progress")")).warnings ==
        Words{"task #3 waits for #1, #2"});
  CHECK(app.get(task.id).warnings.empty());
}

TEST_CASE("Warnings.APersonMayTakeATaskThatStillWaitsAndIsWarned") {
  TestApp app("flow");
  app.create("First");
  for (auto const* operation : {"move_task", "update_task"}) {
    auto const task = app.create("Second", R"("depends_on":[1])");
    auto const moved = app.task(operation, on(task.id, R"("status":"in-progress","claim":"bob")"));
    CHECK(moved.claimed_by == "bob");
    CHECK(moved.warnings == Words{"task #" + std::to_string(task.id) + " waits for #1"});
  }
  CHECK(app.refusal("claim_task", on(app.create("Third", R"("status":"todo","depends_on":[1])").id,
                                     R"("by":"bob")")) == "DEPENDENCY_OPEN");
}

TEST_CASE("Warnings.WhatAMoveUnblocksIsNotCalledBlocked") {
  TestApp app;
  app.create("Task", R"("status":"todo")");
  app.task("block_task", on(1, R"("reason":"no key")"));
  CHECK(app.task("move_task", on(1, R"("status":"backlog")")).warnings.empty());
}

TEST_CASE("Warnings.AMoveOfABlockedTaskSaysWhyItIsBlocked") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"todo")");
  app.task("block_task", on(task.id, R"("reason":"no key")"));
  CHECK(app.task("move_task", on(task.id, R"("status":"done")")).warnings ==
        Words{"task #1 is blocked (no key)"});
}

TEST_CASE("Warnings.FixedDateWithoutADateIsSaidWhenItIsMadeAndWhenItBecomesSo") {
  TestApp app;
  Words const missing{"task #1 is of class fixed-date and has no due date"};
  auto const task = app.create("Task", R"("class":"fixed-date")");
  CHECK(task.warnings == missing);
  CHECK(app.task("update_task", on(task.id, R"("title":"Other")")).warnings.empty());
  CHECK(app.task("update_task", on(task.id, R"("due":"2026-12-01")")).warnings.empty());
  CHECK(app.task("update_task", on(task.id, R"("due":null)")).warnings == missing);
}
