#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::House;
using test::on;

using Words = std::vector<std::string>;

TEST_CASE("Warnings.APersonsMoveOfATaskThatStillWaitsIsAllowedAndSaysSo") {
  House house;
  house.create("First");
  house.create("Second");
  auto const task = house.create("Third", R"("depends_on":[1,2])");
  CHECK(house.task("move_task", on(task.id, R"("status":"todo")")).warnings.empty());
  CHECK(house.task("move_task", on(task.id, R"("status":"in_progress")")).warnings ==
        Words{"task #3 waits for #1, #2"});
  CHECK(house.get(task.id).warnings.empty());
}

TEST_CASE("Warnings.APersonMayTakeATaskThatStillWaitsAndIsWarned") {
  House house("flow");
  house.create("First");
  for (auto const* operation : {"move_task", "update_task"}) {
    auto const task = house.create("Second", R"("depends_on":[1])");
    auto const moved = house.task(operation, on(task.id, R"("status":"in-progress","claim":"bob")"));
    CHECK(moved.claimed_by == "bob");
    CHECK(moved.warnings == Words{"task #" + std::to_string(task.id) + " waits for #1"});
  }
  CHECK(house.refusal("claim_task", on(house.create("Third", R"("depends_on":[1])").id, R"("by":"bob")")) ==
        "DEPENDENCY_OPEN");
}

TEST_CASE("Warnings.WhatAMoveUnblocksIsNotCalledBlocked") {
  House house;
  house.create("Task", R"("status":"todo")");
  house.task("block_task", on(1, R"("reason":"no key")"));
  CHECK(house.task("move_task", on(1, R"("status":"backlog")")).warnings.empty());
}

TEST_CASE("Warnings.AMoveOfABlockedTaskSaysWhyItIsBlocked") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"todo")");
  house.task("block_task", on(task.id, R"("reason":"no key")"));
  CHECK(house.task("move_task", on(task.id, R"("status":"done")")).warnings ==
        Words{"task #1 is blocked (no key)"});
}

TEST_CASE("Warnings.FixedDateWithoutADateIsSaidWhenItIsMadeAndWhenItBecomesSo") {
  House house;
  Words const missing{"task #1 is of class fixed-date and has no due date"};
  auto const task = house.create("Task", R"("class":"fixed-date")");
  CHECK(task.warnings == missing);
  CHECK(house.task("update_task", on(task.id, R"("title":"Other")")).warnings.empty());
  CHECK(house.task("update_task", on(task.id, R"("due":"2026-12-01")")).warnings.empty());
  CHECK(house.task("update_task", on(task.id, R"("due":null)")).warnings == missing);
}
