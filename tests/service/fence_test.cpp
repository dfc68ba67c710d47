#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::agent;
using test::House;
using test::on;

namespace {

/// A request that is good enough to get as far as the operation.
core::Result<std::string> ask_blank(House& house, api::Operation const& operation,
                                    service::Caller const& caller) {
  api::Call call;
  call.operation = &operation;
  call.request = operation.make();
  call.caller = caller;
  return house.executor.run(std::move(call));
}

bool is_open_to_runs(api::Operation const& operation) {
  return operation.effect != api::Effect::read && operation.access == api::Access::run;
}

struct Zombie {
  House house;
  core::Run run;
  service::Caller caller;

  Zombie() {
    house.add_worker("bot");
    house.create("Task", R"("status":"todo","assignee":"bot")");
    run = house.start("bot");
    caller = agent(run);
  }
  void check_every_write_is_stale() {
    auto const before = house.digest();
    int asked = 0;
    for (auto const& operation : api::operations()) {
      if (!is_open_to_runs(operation)) continue;
      CAPTURE(operation.name);
      auto const answer = ask_blank(house, operation, caller);
      REQUIRE_FALSE(answer);
      CHECK(core::row(answer.error().code).name == "STALE_CLAIM");
      CHECK(core::row(answer.error().code).http == 409);
      ++asked;
    }
    CHECK(asked > 20);
    CHECK(house.digest() == before);
  }
};

}  // namespace

TEST_CASE("Fence.EveryWriteWithAnOldEpochIsStale") {
  Zombie zombie;
  zombie.house.task("kill_task", on(zombie.run.task));
  zombie.house.finish(zombie.run, R"("stopped_because":"killed")");
  zombie.check_every_write_is_stale();
}

TEST_CASE("Fence.EveryWriteButARenewalIsStaleWhenTheLeaseIsOver") {
  Zombie zombie;
  zombie.house.clock.advance(61s);
  for (auto const& operation : api::operations()) {
    if (!is_open_to_runs(operation) || operation.fence == api::Fence::renewal) continue;
    CAPTURE(operation.name);
    auto const answer = ask_blank(zombie.house, operation, zombie.caller);
    REQUIRE_FALSE(answer);
    CHECK(core::row(answer.error().code).name == "STALE_CLAIM");
  }
  auto const epoch = "\"epoch\":" + std::to_string(zombie.run.epoch);
  zombie.house.answer("heartbeat", on(zombie.run.task, epoch), zombie.caller);
  zombie.house.answer("create_task", R"({"title":"Found another bug"})", zombie.caller);
}

TEST_CASE("Fence.AFutureEpochIsStaleAsWell") {
  Zombie zombie;
  ++zombie.caller.run->epoch;
  zombie.check_every_write_is_stale();
}

TEST_CASE("Fence.HoldsForOtherTasksAndNewOnes") {
  Zombie zombie;
  auto const other = zombie.house.create("Other");
  zombie.house.clock.advance(61s);
  CHECK(zombie.house.refusal("create_task", R"({"title":"New"})", zombie.caller) == "STALE_CLAIM");
  CHECK(zombie.house.refusal("add_note", on(other.id, R"("text":"hm")"), zombie.caller) == "STALE_CLAIM");
}

TEST_CASE("Fence.ReadsPass") {
  Zombie zombie;
  zombie.house.clock.advance(61s);
  zombie.house.answer("get_task", on(zombie.run.task), zombie.caller);
}

TEST_CASE("Fence.TheSupervisingProcessTellsTheEndWhateverBecameOfTheClaim") {
  Zombie zombie;
  zombie.house.clock.advance(61s);
  zombie.caller.run->process = zombie.run.process;
  zombie.house.answer("finish_run", on(zombie.run.id, R"("exit":{"code":0},"result":"done")"), zombie.caller);
}

TEST_CASE("Fence.OnlyTheProcessThatSupervisesTheRunPassesIt") {
  Zombie zombie;
  zombie.house.clock.advance(61s);
  zombie.caller.run->process = zombie.run.process + "1";
  CHECK(zombie.house.refusal("finish_run", on(zombie.run.id), zombie.caller) == "STALE_CLAIM");
  CHECK(zombie.house.refusal("report_usage", on(zombie.run.id), zombie.caller) == "STALE_CLAIM");
}
