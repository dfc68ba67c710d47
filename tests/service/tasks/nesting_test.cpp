#include <algorithm>

#include <doctest/doctest.h>

#include "service/tasks/edit.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;
using core::Stage;

namespace {

/// Tasks that stand below each other, made beside the rules as files bring them.
std::vector<core::TaskId> chain(TestApp& app, int length) {
  std::vector<core::TaskId> out;
  store::write(*app.store, [&](store::Tx& tx) {
    out.clear();
    for (int n = 0; n < length; ++n) {
      core::Task task;
      task.title = "Part";
      task.board = app.board;
      task.status = "todo";
      task.priority = "medium";
      task.autocomplete = true;
      if (!out.empty()) task.parent = out.back();
      out.push_back(tx.add(task).id);
    }
    return store::Outcome::commit;
  });
  return out;
}

}  // namespace

TEST_CASE("Nesting.AChainOfParentsOfAnyLengthCompletesItself") {
  TestApp app;
  auto const tasks = chain(app, 5'000);
  CHECK(app.move(tasks.back(), "done").stage == Stage::done);
  CHECK(app.get(tasks.front()).stage == Stage::done);
  auto const done = app.get(tasks[2'500]);
  CHECK(done.stage == Stage::done);
  CHECK(done.children == core::Progress{1, 1});
}

TEST_CASE("Nesting.ATaskHasAtMost100AboveIt") {
  TestApp app;
  auto const tasks = chain(app, 100);
  auto const last = app.create("The hundredth below", {.parent = tasks.back()});
  auto const error = app.error<&service::create_task>({.title = "One more", .parent = last.id});
  CHECK(core::row(error.code).name == "INVALID_INPUT");
  CHECK(error.field == "parent");
  auto const free = app.create("Elsewhere");
  CHECK(app.refusal<&service::edit_task>({.id = free.id, .parent = last.id}) == "INVALID_INPUT");
}

TEST_CASE("Nesting.AChainIsRefusedAsAWhole") {
  TestApp app;
  auto const high = chain(app, 60), low = chain(app, 42);
  CHECK(app.refusal<&service::edit_task>({.id = low.front(), .parent = high.back()}) == "INVALID_INPUT");
  CHECK(app.call<&service::edit_task>({.id = low[1], .parent = high.back()}).parent == high.back());
}

TEST_CASE("Nesting.ACycleIsNamedBeforeTheDepth") {
  TestApp app;
  auto const tasks = chain(app, 3);
  CHECK(app.refusal<&service::edit_task>({.id = tasks.front(), .parent = tasks.back()}) ==
        "DEPENDENCY_CYCLE");
}

TEST_CASE("Nesting.WhatTheEngineMakesBelowTheLastLevelStandsBesideIt") {
  TestApp app;
  auto const tasks = chain(app, 100);
  auto const last = app.create("Last", {.parent = tasks.back(), .next_tasks = {{.title = "After"}}});
  auto const seq = app.last_seq();
  app.move(last.id, "done");
  auto const created = app.events(seq);
  auto const made = std::ranges::find(created, core::EventKind::task_created, &core::Event::kind);
  REQUIRE(made != created.end());
  CHECK(app.get(*made->task).parent == tasks.back());
}

TEST_CASE("Nesting.AnActOnOneOfManySubTasksReadsNoneOfTheOthers") {
  TestApp app;
  auto const parent = app.create("Parent");
  for (int n = 0; n < 40; ++n) app.create("Part", {.parent = parent.id});
  CHECK(app.get(parent.id).children == core::Progress{0, 40});
  app.move(core::TaskId{parent.id + 1}, "done");
  CHECK(app.get(parent.id).children == core::Progress{1, 40});
}
