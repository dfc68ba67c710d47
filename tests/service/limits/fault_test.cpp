#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/insight/attention.hpp"
#include "service/insight/why.hpp"
#include "service/limits/faults.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using core::FaultScope;
using core::Stage;

namespace {

constexpr int kWorkersOfBoard = 5;
constexpr int kTasksOfBoard = 25;

/// Five workers and 25 tasks on one board, and a task on another.
struct FaultyBoard : TestApp {
  FaultyBoard() {
    executor.write([](service::OperationContext& unit) { return service::set_runner(unit, true), true; });
    for (int i = 0; i < kWorkersOfBoard; ++i)
      add_worker("w" + std::to_string(i), {.role = "coder", .agents = std::vector<std::string>{"claude"}});
    for (int i = 0; i < kTasksOfBoard; ++i)
      create("Task " + std::to_string(i), {.status = "todo", .role = "coder"});
  }
  static core::Fault certificate() { return {FaultScope::board, "certificate", "self-signed certificate"}; }
  core::Run meet(core::Run const& run, core::Fault const& fault) {
    return finish(run, {.stopped_because = core::StopReason::fault, .fault = fault});
  }
  bool starts(std::string const& worker) {
    return ask<&service::dispatch_next>({.worker = worker}).has_value();
  }
  std::vector<service::AttentionEntry> asked() {
    return call<&service::list_attention>({.board = {}, .limit = {}}).items;
  }
};

}  // namespace

TEST_CASE("BoardFault.IsOneQuestionForAllTasksAndCountsNoAttempt") {
  FaultyBoard shop;
  std::vector<core::Run> runs;
  for (int i = 0; i < kWorkersOfBoard; ++i) runs.push_back(shop.start("w" + std::to_string(i)));
  for (auto const& run : runs) shop.meet(run, FaultyBoard::certificate());
  for (int i = 0; i < kWorkersOfBoard; ++i) CHECK(!shop.starts("w" + std::to_string(i)));

  auto const asked = shop.asked();
  REQUIRE(asked.size() == 1);
  CHECK(asked.front().kind == core::AttentionKind::fault);
  CHECK(asked.front().board == shop.board);
  CHECK(asked.front().can == std::vector<std::string>{"retry_fault"});
  for (auto const& run : runs) {
    auto const task = shop.call<&service::get_task>({std::to_string(run.task)});
    CHECK(task.stage == Stage::ready);
    CHECK(task.attempt == 0);
    CHECK(!task.blocked);
  }
  // Five runs that began before it was known are no five times.
  auto const faults = shop.call<&service::list_faults>({}).items;
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().times == 1);

  auto const why = shop.call<&service::why_not_running>({.id = std::to_string(runs.front().task)});
  auto const told = std::ranges::find(why.hindrances, "fault", &service::DispatchBlocker::code);
  REQUIRE(told != why.hindrances.end());
  CHECK(told->remedy == "retry_fault");
  CHECK(told->about == "board " + shop.board);

  shop.call<&service::retry_fault>({.scope = FaultScope::board, .name = shop.board});
  CHECK(shop.asked().empty());
  CHECK(shop.starts("w0"));
}

TEST_CASE("BoardFault.IsTriedAgainByItselfAndForgottenWhenWorkGoesOn") {
  FaultyBoard shop;
  auto hold = 1min;
  for (int times = 1; times <= 5; ++times, hold *= 2) {
    shop.meet(shop.start("w0"), FaultyBoard::certificate());
    shop.clock.advance(hold - 1s);
    CHECK(!shop.starts("w0"));
    shop.clock.advance(2s);
  }
  auto const run = shop.start("w0");
  shop.finish(run, {.result = "done", .exit = {.code = 0}});
  CHECK(shop.call<&service::list_faults>({}).items.empty());
  shop.meet(shop.start("w1"), FaultyBoard::certificate());
  CHECK(shop.call<&service::list_faults>({}).items.front().times == 1);
}

TEST_CASE("BoardFault.OfACheckNeedsAPersonAfterTwoTries") {
  FaultyBoard shop;
  for (int times = 1; times <= 3; ++times) {
    shop.meet(shop.start("w0"), {FaultScope::board, "check", "the check fails on main too"});
    shop.clock.advance(24h);
  }
  CHECK(!shop.starts("w0"));
  CHECK(!shop.asked().front().until);
}

TEST_CASE("BoardFault.EndsWithAChangeOfTheBoardThatMayMendIt") {
  FaultyBoard shop;
  shop.meet(shop.start("w0"), FaultyBoard::certificate());
  shop.call<&service::edit_board>({{.title = "Shop"}, shop.board});
  CHECK(!shop.starts("w0"));
  shop.call<&service::edit_board>(
      {{.env = std::vector<std::string>{"SSL_CERT_FILE=/etc/ca.pem"}}, shop.board});
  CHECK(shop.starts("w0"));
}

TEST_CASE("MachineFault.HoldsAllBoardsOfTheMachine") {
  FaultyBoard shop;
  shop.meet(shop.start("w0"), {FaultScope::machine, "disk", "the disk is full"});
  CHECK(!shop.starts("w1"));
  auto const asked = shop.asked();
  REQUIRE(asked.size() == 1);
  CHECK(!asked.front().machine.empty());
  CHECK(asked.front().board.empty());
  shop.call<&service::retry_fault>({.scope = FaultScope::machine, .name = asked.front().machine});
  CHECK(shop.starts("w1"));
}

TEST_CASE("Fault.OfTheTaskHoldsNothing") {
  FaultyBoard shop;
  shop.finish(shop.start("w0"), {.exit = {.code = 1}, .fault = core::Fault{FaultScope::task, "x", "y"}});
  CHECK(shop.starts("w1"));
  auto const refused = shop.refusal<&service::retry_fault>({.scope = FaultScope::board, .name = shop.board});
  CHECK(refused == "NOT_FOUND");
}

TEST_CASE("BoardFault.IsNotInheritedByABoardOfTheSameName") {
  FaultyBoard shop;
  shop.call<&service::create_board>({{}, "other", {}});
  shop.executor.write([](service::OperationContext& unit) {
    core::Run run;
    run.board = "other";
    return service::learn_of_fault(unit, run, core::Fault{FaultScope::board, "check", "x"}), true;
  });
  CHECK(shop.asked().size() == 1);
  shop.clock.advance(1h);
  shop.call<&service::delete_board>({"other"});
  CHECK(shop.asked().empty());
  shop.call<&service::create_board>({{}, "other", {}});
  CHECK(shop.asked().empty());
}

TEST_CASE("BoardFault.IsNotOverAfterARunThatOnlyPlanned") {
  FaultyBoard shop;
  shop.meet(shop.start("w0"), FaultyBoard::certificate());
  shop.clock.advance(2min);
  auto const planned = shop.start("w1");
  shop.executor.write([&](service::OperationContext& unit) {
    auto run = *unit.tx.run(planned.id);
    run.plans = true;
    return unit.tx.put(run), true;
  });
  shop.finish(planned, {.result = "the plan", .exit = {.code = 0}});
  shop.meet(shop.start("w2"), FaultyBoard::certificate());
  CHECK(shop.call<&service::list_faults>({}).items.front().times == 2);
}

TEST_CASE("Fault.ThatNobodyNamesCountsAsAnAttempt") {
  FaultyBoard shop;
  auto const run = shop.start("w0");
  shop.finish(run, {.stopped_because = core::StopReason::fault, .exit = {.code = 1}});
  CHECK(shop.get(run.task).attempt == 1);
  CHECK(shop.asked().empty());
}
