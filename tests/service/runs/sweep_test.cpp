#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using core::Stage;

namespace {

std::size_t unsettled(House& house) {
  std::size_t out = 0;
  house.executor.read([&](service::Unit& u) { out = u.tx.expired(u.now, {}, 10'000).size(); });
  return out;
}

}  // namespace

TEST_CASE("Sweep.LooksOnceAtClaimsThatNeedNothing") {
  House house("flow");
  for (int n = 0; n < 30; ++n) {
    auto const task = house.create("Task", R"("status":"todo")");
    house.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  }
  house.clock.advance(61min);
  CHECK(unsettled(house) == 30);
  CHECK(house.answer("sweep", "{}") == R"({"recovered":0})");
  CHECK(unsettled(house) == 0);
  house.task("add_note", on(1, R"("text":"still there")"));
  CHECK(unsettled(house) == 1);
}

TEST_CASE("Sweep.RecoversSomeAndSaysThatThereAreMore") {
  House house("queue");
  for (int n = 0; n < 250; ++n) {
    house.create("Task", R"("status":"ready")");
    house.task("pick_task", R"({"by":"bob"})");
  }
  house.clock.advance(61min);
  CHECK(house.answer("sweep", "{}") == R"({"recovered":100,"more":true})");
  CHECK(house.answer("sweep", "{}") == R"({"recovered":100,"more":true})");
  CHECK(house.answer("sweep", "{}") == R"({"recovered":50})");
  CHECK(unsettled(house) == 0);
  CHECK(house.get(250).stage == Stage::ready);
}

TEST_CASE("Sweep.TakesBackAnOldClaimOfWhoeverBecomesAWorker") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"todo")");
  house.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  house.clock.advance(61min);
  house.answer("sweep", "{}");
  CHECK(house.get(task.id).stage == Stage::active);
  house.add_worker("bob");
  CHECK(house.answer("sweep", "{}") == R"({"recovered":1})");
  CHECK(house.get(task.id).stage == Stage::ready);
}

TEST_CASE("Sweep.LeavesATaskToItsRunnerAndLooksAgain") {
  House house("queue");
  house.add_worker("dev", R"("role":"coder")");
  house.create("Task", R"("status":"ready","role":"coder")");
  house.start("dev");
  house.clock.advance(61min);
  CHECK(house.answer("sweep", "{}") == R"({"recovered":0})");
  CHECK(unsettled(house) == 1);
}
