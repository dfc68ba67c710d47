#include "service/runs/sweep.hpp"

#include <doctest/doctest.h>

#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using core::Stage;

namespace {

std::size_t unsettled(TestApp& app) {
  std::size_t out = 0;
  app.executor.read([&](service::OperationContext& u) { out = u.tx.expired(u.now, {}, 10'000).size(); });
  return out;
}

}  // namespace

TEST_CASE("Sweep.LooksOnceAtClaimsThatNeedNothing") {
  TestApp app("flow");
  for (int n = 0; n < 30; ++n) {
    auto const task = app.create("Task", {.status = "todo"});
    app.call<&service::move_task>({.id = task.id, .status = "in-progress", .claim = "bob"});
  }
  app.clock.advance(61min);
  CHECK(unsettled(app) == 30);
  CHECK(app.answer<&service::sweep>() == R"({"recovered":0})");
  CHECK(unsettled(app) == 0);
  app.call<&service::note_task>({.id = 1, .text = "still there"});
  CHECK(unsettled(app) == 1);
}

TEST_CASE("Sweep.RecoversSomeAndSaysThatThereAreMore") {
  TestApp app("queue");
  for (int n = 0; n < 250; ++n) {
    app.create("Task", {.status = "ready"});
    app.call<&service::pick_task>({.by = "bob"});
  }
  app.clock.advance(61min);
  CHECK(app.answer<&service::sweep>() == R"({"recovered":100,"more":true})");
  CHECK(app.answer<&service::sweep>() == R"({"recovered":100,"more":true})");
  CHECK(app.answer<&service::sweep>() == R"({"recovered":50})");
  CHECK(unsettled(app) == 0);
  CHECK(app.get(250).stage == Stage::ready);
}

TEST_CASE("Sweep.TakesBackAnOldClaimOfWhoeverBecomesAWorker") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "todo"});
  app.call<&service::move_task>({.id = task.id, .status = "in-progress", .claim = "bob"});
  app.clock.advance(61min);
  app.call<&service::sweep>();
  CHECK(app.get(task.id).stage == Stage::active);
  app.add_worker("bob");
  CHECK(app.answer<&service::sweep>() == R"({"recovered":1})");
  CHECK(app.get(task.id).stage == Stage::ready);
}

TEST_CASE("Sweep.LeavesATaskToItsRunnerAndLooksAgain") {
  TestApp app("queue");
  app.add_worker("dev", {.role = "coder"});
  app.create("Task", {.status = "ready", .role = "coder"});
  app.start("dev");
  app.clock.advance(61min);
  CHECK(app.answer<&service::sweep>() == R"({"recovered":0})");
  CHECK(unsettled(app) == 1);
}
