#include <doctest/doctest.h>

#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

using Words = std::vector<std::string>;

TEST_CASE("Warnings.APersonsMoveOfATaskThatStillWaitsIsAllowedAndSaysSo") {
  TestApp app;
  app.create("First");
  app.create("Second");
  auto const task = app.create("Third", {.depends_on = {1, 2}});
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "todo"}).warnings.empty());
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "in_progress"}).warnings ==
        Words{"task #3 waits for #1, #2"});
  CHECK(app.get(task.id).warnings.empty());
}

TEST_CASE("Warnings.APersonMayTakeATaskThatStillWaitsAndIsWarned") {
  TestApp app("flow");
  app.create("First");
  auto const second = app.create("Second", {.depends_on = {1}}).id;
  auto const moved = app.call<&service::move_task>({.id = second, .status = "in-progress", .claim = "bob"});
  CHECK(moved.claimed_by == "bob");
  CHECK(moved.warnings == Words{"task #2 waits for #1"});
  auto const other = app.create("Second", {.depends_on = {1}}).id;
  auto const edited = app.call<&service::edit_task>({.id = other, .status = "in-progress", .claim = "bob"});
  CHECK(edited.claimed_by == "bob");
  CHECK(edited.warnings == Words{"task #3 waits for #1"});
  CHECK(app.refusal<&service::claim_task>(
            {.id = app.create("Third", {.status = "todo", .depends_on = {1}}).id, .by = "bob"}) ==
        "DEPENDENCY_OPEN");
}

TEST_CASE("Warnings.WhatAMoveUnblocksIsNotCalledBlocked") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  app.call<&service::block_task>({.id = 1, .reason = "no key"});
  CHECK(app.call<&service::move_task>({.id = 1, .status = "backlog"}).warnings.empty());
}

TEST_CASE("Warnings.AMoveOfABlockedTaskSaysWhyItIsBlocked") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "todo"});
  app.call<&service::block_task>({.id = task.id, .reason = "no key"});
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "done"}).warnings ==
        Words{"task #1 is blocked (no key)"});
}

TEST_CASE("Warnings.FixedDateWithoutADateIsSaidWhenItIsMadeAndWhenItBecomesSo") {
  TestApp app;
  Words const missing{"task #1 is of class fixed-date and has no due date"};
  auto const task = app.create("Task", {.class_ = "fixed-date"});
  CHECK(task.warnings == missing);
  CHECK(app.call<&service::edit_task>({.id = task.id, .title = "Other"}).warnings.empty());
  CHECK(
      app.call<&service::edit_task>({.id = task.id, .due = core::parse_date("2026-12-01")}).warnings.empty());
  CHECK(app.call<&service::edit_task>({.id = task.id, .due = std::optional<core::Date>{}}).warnings ==
        missing);
}
