#include "service/limits/task_spending.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/insight/live.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/runs.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;

namespace {

/// A strict board with one coder and one ready task that an agent works on.
struct CountedTask : TestApp {
  CountedTask() : TestApp("queue") {
    add_worker("ada", {.role = "coder"});
    create("One", {.status = "ready", .role = "coder"});
    run = start("ada");
  }
  void spend(int tokens, std::optional<double> usd) {
    call<&service::report_usage>({.id = run.id, .usage = core::Usage{.input = tokens, .cost_usd = usd}});
  }
  void fail() { finish(run, {.exit = {.code = 2}}); }
  void try_again() {
    call<&service::retry_task>({.id = run.task});
    run = start("ada");
  }
  std::optional<service::TaskSpending> spent() {
    return call<&service::runs_of_task>({std::to_string(run.task)}).spent;
  }
  std::string card() {
    auto const all = call<&service::snapshot>({.board = "queue"});
    for (auto const& one : all.tasks)
      if (one.id == run.task && one.spent) return reflect::to_json(*one.spent);
    return {};
  }

  core::Run run;
};

}  // namespace

TEST_CASE("TaskSpending.IsNothingBeforeARunUsedAnything") {
  CountedTask at;
  CHECK_FALSE(at.spent());
  CHECK(at.card().empty());
}

TEST_CASE("TaskSpending.CountsALivingRunAsItReports") {
  CountedTask at;
  at.spend(100, 0.25);
  at.spend(400, 1.25);
  auto const spent = at.spent();
  REQUIRE(spent);
  CHECK(spent->tokens == 400);
  CHECK(spent->cost_usd == doctest::Approx(1.25));
  CHECK(spent->runs == 1);
  CHECK(spent->unpriced == 0);
  CHECK(at.card() == R"({"tokens":400,"cost_usd":1.25,"time":"0s","runs":1,"unpriced":0})");
}

TEST_CASE("TaskSpending.OfARunWithoutAPriceIsUnknown") {
  CountedTask at;
  at.spend(400, std::nullopt);
  CHECK(at.card() == R"({"tokens":400,"cost_usd":null,"time":"0s","runs":1,"unpriced":1})");
}

TEST_CASE("TaskSpending.OfARunThatToldNothingIsUnknownWhenItHasEnded") {
  CountedTask at;
  at.clock.advance(90s);
  at.fail();
  CHECK(at.card() == R"({"tokens":0,"cost_usd":null,"time":"1m30s","runs":1,"unpriced":1})");
}

TEST_CASE("TaskSpending.AddsUpTheRunsOfATask") {
  CountedTask at;
  at.spend(100, 0.5);
  at.fail();
  at.try_again();
  at.spend(50, std::nullopt);
  auto const spent = at.spent();
  REQUIRE(spent);
  CHECK(spent->tokens == 150);
  CHECK(spent->cost_usd == doctest::Approx(0.5));
  CHECK(spent->runs == 2);
  CHECK(spent->unpriced == 1);
  CHECK_FALSE(spent->of_budget);
}

TEST_CASE("TaskSpending.KeepsWhatAKilledRunSpent") {
  CountedTask at;
  at.spend(100, 0.5);
  auto const ended = at.finish(at.run, {.stopped_because = core::StopReason::killed, .exit = {.signal = 15}});
  CHECK(ended.outcome == core::Outcome::killed);
  REQUIRE(at.spent());
  CHECK(at.spent()->cost_usd == doctest::Approx(0.5));
  CHECK(at.spent()->runs == 1);
}

TEST_CASE("TaskSpending.TellsWhatCountsSinceTheBudgetWasSpent") {
  CountedTask at;
  at.call<&service::edit_board>({{.budget = core::Budget{.task = {.usd = 1}}}, "queue"});
  at.spend(10, 1.2);
  CHECK(at.finish(at.run, {.exit = {.code = 2}}).outcome == core::Outcome::over_budget);
  at.call<&service::unblock_task>({.id = at.run.task});
  at.run = at.start("ada");
  at.spend(10, 0.3);
  auto const spent = at.spent();
  REQUIRE(spent);
  CHECK(spent->cost_usd == doctest::Approx(1.5));
  REQUIRE(spent->of_budget);
  CHECK(spent->of_budget->usd == doctest::Approx(0.3));
}

TEST_CASE("TaskSpending.OfRunsBeforeTheCounterIsReadFromThem") {
  CountedTask at;
  at.spend(100, 0.5);
  at.executor.write([&](service::OperationContext& ctx) {
    ctx.tx.set_setting("spent.task." + std::to_string(at.run.task), "");
    return true;
  });
  CHECK(at.spent()->tokens == 100);
  at.spend(300, 0.75);
  CHECK(at.spent()->tokens == 300);
  CHECK(at.spent()->cost_usd == doctest::Approx(0.75));
}

TEST_CASE("DispatchStatus.TellsWhatWasSpentTodayWithoutABudget") {
  CountedTask at;
  CHECK(at.call<&service::dispatch_status>().budgets.empty());
  at.spend(100, std::nullopt);
  auto const days = at.call<&service::dispatch_status>().budgets;
  REQUIRE(days.size() == 2);
  CHECK(days[0].board == "queue");
  CHECK(days[1].worker == "ada");
  CHECK(days[1].limit == core::Allowance{});
  CHECK(days[1].spent.unpriced_runs == 1);
}
