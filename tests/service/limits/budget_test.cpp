#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/insight/why.hpp"
#include "service/limits/budgets.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using core::Outcome;
using core::RunState;
using core::Stage;

namespace {

service::FinishRunRequest const kFailed{.exit = {.code = 2}};

/// A strict board with two coders and three ready tasks, and what a budget makes of them.
struct Spenders : TestApp {
  Spenders() : TestApp("queue") {
    add_worker("ada", {.role = "coder"});
    add_worker("bob", {.role = "coder"});
    for (auto const* title : {"One", "Two", "Three"}) create(title, {.status = "ready", .role = "coder"});
  }
  void limit_board(core::Budget const& budget) { call<&service::edit_board>({{.budget = budget}, "queue"}); }
  void limit_worker(core::Budget const& budget) {
    call<&service::edit_worker>({.name = "ada", .budget = budget});
  }
  core::Run spend(core::Run const& of, int tokens, double usd) {
    return call<&service::report_usage>({.id = of.id, .usage = usage(tokens, usd)});
  }
  std::string dispatch(std::string_view name) {
    auto run = ask<&service::dispatch_next>({.worker = std::string{name}});
    return run ? "run" : run.error().message;
  }
  service::DispatchStatus status() { return call<&service::dispatch_status>(); }
  std::string why(core::TaskId id) { return answer<&service::why_not_running>({.id = id}); }

  static core::Usage usage(int tokens, double usd) { return {.input = tokens, .cost_usd = usd}; }
};

bool says(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Budget.ARunThatReachesItIsStoppedAndItsTaskBlocked") {
  Spenders at;
  at.limit_board({.run = {.tokens = 1000}});
  auto const run = at.start("ada");
  CHECK(at.spend(run, 999, 0).state == RunState::running);
  auto const seq = at.last_seq();
  auto const stopping = at.spend(run, 1'500, 0);
  CHECK(stopping.state == RunState::stopping);
  CHECK(at.kinds(seq).front() == "limit.reached");
  CHECK(at.answer<&service::heartbeat>({.id = run.task, .epoch = run.epoch}, agent(run))
            .find(R"("cancelled":true)") != std::string::npos);
  auto const ended = at.finish(run, {.stopped_because = core::StopReason::killed, .exit = {.signal = 15}});
  CHECK(ended.outcome == Outcome::over_budget);
  CHECK(says(ended.reason, "board \"queue\" sets for a run: 1500 of 1000 tokens"));
  auto const task = at.get(run.task);
  CHECK(task.blocked);
  CHECK(task.block_reason == ended.reason);
  CHECK(task.claimed_by.empty());
  CHECK(at.dispatch("ada") == "run");
}

TEST_CASE("Budget.OfATaskCountsAllItsRunsUntilAPersonLetsItGoOn") {
  Spenders at;
  at.limit_board({.task = {.usd = 1.0}});
  auto const first = at.start("ada");
  at.finish(first, {.exit = {.code = 2}, .usage = Spenders::usage(10, 0.6)});
  CHECK(at.get(first.task).stage == Stage::ready);
  at.call<&service::retry_task>({.id = first.task});
  auto const second = at.start("ada");
  REQUIRE(second.task == first.task);
  at.spend(second, 10, 0.5);
  CHECK(at.finish(second, kFailed).outcome == Outcome::over_budget);
  at.call<&service::unblock_task>({.id = first.task});
  auto const third = at.start("ada");
  REQUIRE(third.task == first.task);
  CHECK(at.spend(third, 10, 0.9).state == RunState::running);
}

TEST_CASE("Budget.AFailureThatSpentItIsNotTriedAgain") {
  Spenders at;
  at.limit_board({.run = {.usd = 0.5}});
  auto const run = at.start("ada");
  auto const ended = at.finish(run, {.exit = {.code = 2}, .usage = Spenders::usage(10, 0.7)});
  CHECK(ended.outcome == Outcome::over_budget);
  CHECK(says(ended.reason, "$0.70 of $0.50; exit code 2"));
  CHECK(at.get(run.task).blocked);
}

TEST_CASE("Budget.FinishedWorkStandsWhateverItCost") {
  Spenders at;
  at.limit_board({.run = {.usd = 0.5}});
  auto const run = at.start("ada");
  auto const ended =
      at.finish(run, {.result = "made it", .exit = {.code = 0}, .usage = Spenders::usage(10, 0.7)});
  CHECK(ended.outcome == Outcome::succeeded);
  CHECK(at.get(run.task).stage == Stage::review);
}

TEST_CASE("Budget.WhoHasReportedIsNotStopped") {
  Spenders at;
  at.limit_board({.run = {.tokens = 100}});
  auto const run = at.start("ada");
  at.call<&service::complete_task>({.id = run.task, .result = "made it"}, agent(run));
  CHECK(at.spend(run, 500, 0).state == RunState::running);
  CHECK(at.finish(run).outcome == Outcome::succeeded);
}

TEST_CASE("Budget.OfABoardsDayHoldsEverybodyBackUntilTheNext") {
  Spenders at;
  at.limit_board({.day = {.usd = 2}, .tz = "Europe/Berlin"});
  auto const run = at.start("ada");
  at.finish(run, {.result = "made it", .exit = {.code = 0}, .usage = Spenders::usage(10, 2.5)});
  CHECK(at.dispatch("ada").find("nothing waits") != std::string::npos);
  core::TaskId const waiting{run.task == 1 ? 2 : 1};
  CHECK(says(at.why(waiting), R"("code":"budget")"));
  CHECK(says(at.why(waiting), "$2.50 of $2.00"));
  auto const budgets = at.status().budgets;
  REQUIRE(budgets.size() == 2);
  CHECK(budgets.front().board == "queue");
  CHECK(budgets.front().reached == "$2.50 of $2.00");
  CHECK(budgets.front().spent.tokens == 10);
  at.clock.advance(24h);
  CHECK(at.dispatch("ada") == "run");
  CHECK(at.status().budgets.front().reached.empty());
}

TEST_CASE("Budget.OfAWorkersDayHoldsOnlyThatWorkerBack") {
  Spenders at;
  at.limit_worker({.day = {.tokens = 1000}});
  at.finish(at.start("ada"), {.result = "made it", .exit = {.code = 0}, .usage = Spenders::usage(1'200, 0)});
  CHECK(says(at.dispatch("ada"), "worker \"ada\" has spent its budget of the day: 1200 of 1000 tokens"));
  CHECK(at.status().budgets.front().spent.unpriced == 1'200);
  CHECK(at.dispatch("bob") == "run");
}

TEST_CASE("Budget.OfADayEndsWhoeverSpendsOn") {
  Spenders at;
  at.limit_board({.day = {.tokens = 1000}});
  auto const ada = at.start("ada");
  auto const bob = at.start("bob");
  CHECK(at.spend(ada, 700, 0).state == RunState::running);
  CHECK(at.spend(bob, 400, 0).state == RunState::stopping);
  CHECK(at.spend(ada, 701, 0).state == RunState::stopping);
}

TEST_CASE("Budget.WhatARunToldBeforeIsNotCountedTwice") {
  Spenders at;
  at.limit_board({.day = {.tokens = 100000}});
  auto const run = at.start("ada");
  at.spend(run, 100, 0.1);
  at.spend(run, 300, 0.3);
  at.finish(run, {.result = "made it", .exit = {.code = 0}, .usage = Spenders::usage(350, 0.4)});
  auto const spent = at.status().budgets.front().spent;
  CHECK(spent.tokens == 350);
  CHECK(spent.usd == doctest::Approx(0.4));
  CHECK(spent.unpriced == 0);
}

TEST_CASE("Budget.ARunIsToldWhatItMaySpend") {
  Spenders at;
  at.limit_board({.run = {.usd = 1}, .task = {.usd = 1.5, .time = 1h}});
  at.limit_worker({.run = {.tokens = 5000}});
  at.start("bob");
  auto const run = at.call<&service::dispatch_next>({.worker = "ada"});
  core::Allowance allowance;
  at.executor.write([&](service::OperationContext& u) {
    allowance = service::allowance_of(u, *u.tx.run(run.id));
    return false;
  });
  CHECK(allowance == core::Allowance{5'000, 1, 1h});
}

TEST_CASE("Budget.ARunOutOfTimeIsBlockedAndAHungOneTriedAgain") {
  Spenders at;
  auto const run = at.start("ada");
  CHECK(at.finish(run, {.stopped_because = core::StopReason::timed_out}).outcome == Outcome::timed_out);
  CHECK(at.get(run.task).blocked);
  auto const hung = at.start("ada");
  CHECK(at.finish(hung, {.stopped_because = core::StopReason::stale}).outcome == Outcome::timed_out);
  CHECK(at.get(hung.task).stage == Stage::ready);
}

TEST_CASE("Budget.MustMakeSense") {
  Spenders at;
  CHECK(at.error<&service::edit_board>({{.budget = core::Budget{.day = {.usd = -1}}}, "queue"}).field ==
        "budget");
  CHECK(at.error<&service::edit_worker>(
              {.name = "ada", .budget = core::Budget{.day = {.usd = 1}, .tz = "Mars"}})
            .field == "budget");
  at.limit_board({.day = {.usd = 1}});
  CHECK(says(at.answer<&service::get_board>({.board = "queue"}), R"("day":{"usd":1)"));
  at.limit_board({});
  CHECK_FALSE(says(at.answer<&service::get_board>({.board = "queue"}), "budget"));
}
