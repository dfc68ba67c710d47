#include <doctest/doctest.h>

#include "service/test_app.hpp"

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
    auto const task = app.create("Task", R"("status":"todo")");
    app.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  }
  app.clock.advance(61min);
  CHECK(unsettled(app) == 30);
  CHECK(app.answer("sweep", "{}") == R"({"recovered":0})");
  CHECK(unsettled(app) == 0);
  app.task("add_note", on(1, R"("text":"still there")"));
  CHECK(unsettled(app) == 1);
}

TEST_CASE("Sweep.RecoversSomeAndSaysThatThereAreMore") {
  TestApp app("queue");
  for (int n = 0; n < 250; ++n) {
    app.create("Task", R"("status":"ready")");
    app.task("pick_task", R"({"by":"bob"})");
  }
  app.clock.advance(61min);
  CHECK(app.answer("sweep", "{}") == R"({"recovered":100,"more":true})");
  CHECK(app.answer("sweep", "{}") == R"({"recovered":100,"more":true})");
  CHECK(app.answer("sweep", "{}") == R"({"recovered":50})");
  CHECK(unsettled(app) == 0);
  CHECK(app.get(250).stage == Stage::ready);
}

TEST_CASE("Sweep.TakesBackAnOldClaimOfWhoeverBecomesAWorker") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"todo")");
  app.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  app.clock.advance(61min);
  app.answer("sweep", "{}");
  CHECK(app.get(task.id).stage == Stage::active);
  app.add_worker("bob");
  CHECK(app.answer("sweep", "{}") == R"({"recovered":1})");
  CHECK(app.get(task.id).stage == Stage::ready);
}

TEST_CASE("Sweep.LeavesATaskToItsRunnerAndLooksAgain") {
  TestApp app("queue");
  app.add_worker("dev", R"("role":"coder")");
  app.create("Task", R"("status":"ready","role":"coder")");
  app.start("dev");
  app.clock.advance(61min);
  CHECK(app.answer("sweep", "{}") == R"({"recovered":0})");
  CHECK(unsettled(app) == 1);
}
