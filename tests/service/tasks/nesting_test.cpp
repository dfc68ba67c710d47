#include <algorithm>

#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace andon::test;
using core::Stage;

namespace {

/// Tasks that stand below each other, made beside the rules as files bring them.
std::vector<core::TaskId> chain(House& house, int length) {
  std::vector<core::TaskId> out;
  store::write(*house.store, [&](store::Tx& tx) {
    out.clear();
    for (int n = 0; n < length; ++n) {
      core::Task task;
      task.title = "Part";
      task.board = house.board;
      task.status = "todo";
      task.priority = "medium";
      task.autocomplete = true;
      if (!out.empty()) task.parent = out.back();
      out.push_back(tx.add(task).id);
    }
    return store::Verdict::keep;
  });
  return out;
}

}  // namespace

TEST_CASE("Nesting.AChainOfParentsOfAnyLengthCompletesItself") {
  House house;
  auto const tasks = chain(house, 5'000);
  CHECK(house.move(tasks.back(), "done").stage == Stage::done);
  CHECK(house.get(tasks.front()).stage == Stage::done);
  auto const done = house.get(tasks[2'500]);
  CHECK(done.stage == Stage::done);
  CHECK(done.children == core::Progress{1, 1});
}

TEST_CASE("Nesting.ATaskHasAtMost100AboveIt") {
  House house;
  auto const tasks = chain(house, 100);
  auto const under = [](core::TaskId id) { return R"("parent":)" + std::to_string(id); };
  auto const last = house.create("The hundredth below", under(tasks.back()));
  auto const error = house.error("create_task", R"({"title":"One more",)" + under(last.id) + "}");
  CHECK(core::row(error.code).name == "INVALID_INPUT");
  CHECK(error.field == "parent");
  auto const free = house.create("Elsewhere");
  CHECK(house.refusal("update_task", on(free.id, under(last.id))) == "INVALID_INPUT");
}

TEST_CASE("Nesting.AChainIsRefusedAsAWhole") {
  House house;
  auto const high = chain(house, 60), low = chain(house, 42);
  auto const under = [](core::TaskId id) { return R"("parent":)" + std::to_string(id); };
  CHECK(house.refusal("update_task", on(low.front(), under(high.back()))) == "INVALID_INPUT");
  CHECK(house.task("update_task", on(low[1], under(high.back()))).parent == high.back());
}

TEST_CASE("Nesting.ACycleIsNamedBeforeTheDepth") {
  House house;
  auto const tasks = chain(house, 3);
  CHECK(house.refusal("update_task", on(tasks.front(), R"("parent":)" + std::to_string(tasks.back()))) ==
        "DEPENDENCY_CYCLE");
}

TEST_CASE("Nesting.WhatTheEngineMakesBelowTheLastLevelStandsBesideIt") {
  House house;
  auto const tasks = chain(house, 100);
  auto const last = house.create(
      "Last", R"("parent":)" + std::to_string(tasks.back()) + R"(,"next_tasks":[{"title":"After"}])");
  auto const seq = house.last_seq();
  house.move(last.id, "done");
  auto const created = house.events(seq);
  auto const made = std::ranges::find(created, core::EventKind::task_created, &core::Event::kind);
  REQUIRE(made != created.end());
  CHECK(house.get(*made->task).parent == tasks.back());
}

TEST_CASE("Nesting.AnActOnOneOfManySubTasksReadsNoneOfTheOthers") {
  House house;
  auto const parent = house.create("Parent");
  auto const under = R"("parent":)" + std::to_string(parent.id);
  for (int n = 0; n < 40; ++n) house.create("Part", under);
  CHECK(house.get(parent.id).children == core::Progress{0, 40});
  house.move(parent.id + 1, "done");
  CHECK(house.get(parent.id).children == core::Progress{1, 40});
}
