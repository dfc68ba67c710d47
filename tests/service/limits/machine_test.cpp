#include "service/limits/machine.hpp"

#include <doctest/doctest.h>

#include "core/text/names.hpp"
#include "service/insight/attention.hpp"
#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kGiB = 1LL << 30U;

/// A board with two workers and tasks for them, on a machine of 24 GiB.
struct MachineOfRuns : TestApp {
  MachineOfRuns() {
    for (auto const* name : {"ada", "bob"}) add_worker(name, {.takes_unassigned = true});
    for (auto const* title : {"One", "Two", "Three", "Four"}) create(title, {.status = "todo"});
    say({});
  }
  service::MachineReport say(service::MachineReport report) {
    report.memory = 24 * kGiB;
    call<&service::report_machine>(report);
    return report;
  }
  void freeze(core::Run const& run) { say({.is_busy = true, .reason = "short", .frozen = {{run.id, {}}}}); }
  void finish_with_peak(std::string_view worker, std::int64_t bytes) {
    call<&service::report_machine>();
    auto const run = start(worker);
    say({});
    finish(run, {.result = "made it", .exit = {.code = 0}, .peak_memory = bytes});
  }
  std::string why_not(std::string_view name) {
    std::string out;
    executor.read([&](service::OperationContext& u) {
      auto const worker = u.tx.worker(name);
      REQUIRE(worker);
      out = service::why_no_room(u, *u.tx.board("classic"), *worker).value_or("");
    });
    return out;
  }
  core::WorkerStatus light() { return call<&service::get_worker>({.name = "ada"}).state; }
  std::string calls() { return answer<&service::list_attention>(); }
};

core::ResourceLimits memory_limit(std::int64_t bytes) { return {.memory = core::ByteSize{bytes}}; }

bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Machine.ARunThatStandsStillForMemorySaysSoAndIsNotSilent") {
  MachineOfRuns app;
  auto const run = app.start("ada");
  app.freeze(run);
  auto const began = app.clock.now();
  CHECK(app.light() == core::WorkerStatus::paused);
  auto const why = app.answer<&service::why_not_running>({.id = std::to_string(run.task)});
  CHECK(has(why, R"("code":"frozen")"));
  CHECK(has(why, "its agent stands still since " + core::to_text(began)));
  app.clock.advance(29min);
  CHECK_FALSE(has(app.calls(), "silent"));
  app.freeze(run);
  app.clock.advance(1min);
  CHECK(has(app.calls(), "the agent stands still"));
  CHECK(has(app.calls(), core::to_text(began)));
  CHECK(app.light() == core::WorkerStatus::paused);
  app.say({});
  CHECK(app.light() == core::WorkerStatus::working);
  CHECK_FALSE(has(app.calls(), "silent"));
  CHECK_FALSE(has(app.answer<&service::why_not_running>({.id = std::to_string(run.task)}), "stands still"));
}

TEST_CASE("Machine.AReportOfRunsThatAreNoneIsBounded") {
  MachineOfRuns app;
  auto const run = app.start("ada");
  service::MachineReport report;
  for (auto const id : {core::RunId{-1}, core::RunId{0}, core::next(run.id), core::RunId{INT64_MAX}})
    report.frozen.push_back({id, app.clock.now()});
  app.say(report);
  CHECK(app.light() == core::WorkerStatus::working);
  report.frozen.assign(1'001, {run.id, {}});
  CHECK(app.refusal<&service::report_machine>(report) == "INVALID_INPUT");
}

TEST_CASE("Machine.ARunThatIsEndedForMemoryCostsNoAttempt") {
  MachineOfRuns app;
  auto const run = app.start("ada");
  app.finish(run, {.stopped_because = core::StopReason::short_of_memory,
                   .exit = {.signal = 9},
                   .peak_memory = 2 * kGiB,
                   .excess = "the machine had no memory left"});
  auto const task = app.get(run.task);
  CHECK(task.attempt == 0);
  CHECK(task.stage == core::Stage::ready);
  REQUIRE(task.not_before);
  CHECK(*task.not_before > app.clock.now());
}

TEST_CASE("Machine.TheFirstRunOfAWorkerCountsWithThePeakOfItsProfileOrElseOfItsBoard") {
  MachineOfRuns app;
  app.add_worker("cid", {.agent = "other", .takes_unassigned = true});
  app.add_worker("all", {.takes_unassigned = true});
  app.call<&service::edit_worker>({.name = "all", .limits = memory_limit(22 * kGiB)});
  app.start("all");
  auto const expected = [&](std::string_view worker) {
    auto const room = app.why_not(worker);
    auto const at = room.find("\" may use ");
    return at == std::string::npos ? room : room.substr(at + 10);
  };
  CHECK(expected("ada") == "128 MiB");
  app.finish_with_peak("ada", 3 * kGiB);
  CHECK(expected("ada") == "3 GiB");
  CHECK(expected("bob") == "3 GiB");  // of the profile
  CHECK(expected("cid") == "3 GiB");  // of the board
  app.finish_with_peak("cid", 5 * kGiB);
  CHECK(expected("ada") == "3 GiB");
  CHECK(expected("bob") == "3 GiB");
  CHECK(expected("cid") == "5 GiB");
  app.add_worker("dan", {.agent = "third", .takes_unassigned = true});
  CHECK(expected("dan") == "5 GiB");
  app.call<&service::edit_worker>({.name = "dan", .limits = memory_limit(kGiB)});
  CHECK(expected("dan") == "1 GiB");
  app.finish_with_peak("cid", kGiB);
  CHECK(expected("cid") == "3.7 GiB");
}

TEST_CASE("Machine.WhatRunsOfOtherServersReserveIsUsed") {
  MachineOfRuns app;
  CHECK(app.why_not("ada").empty());
  app.say({.neighbours = {3, 20 * kGiB}});
  CHECK(app.why_not("ada").empty());
  app.say({.neighbours = {3, 22 * kGiB}});
  CHECK(app.why_not("ada") ==
        "no memory is left for it: 0 runs may use 0 B of 21.6 GiB, 3 runs of other servers on the machine 22 "
        "GiB, and a "
        "run of \"ada\" may use 128 MiB");
  CHECK(app.refusal<&service::dispatch_next>({.worker = "ada"}) == "NOTHING_TO_PICK");
  app.say({.neighbours = {1, INT64_MAX}});
  CHECK_FALSE(app.why_not("ada").empty());
  app.say({.neighbours = {-3, INT64_MIN}});
  CHECK(app.why_not("ada").empty());
  app.say({});
  app.start("ada");
  auto const reserved = app.call<&service::report_machine>();
  CHECK(reserved == service::ReservedMemory{1, 128LL << 20U});
}

TEST_CASE("Machine.AReasonIsOneBoundedLine") {
  TestApp app;
  service::MachineReport report;
  report.is_busy = true;
  report.reason = "busy\nand\x1b[2J" + std::string(100'000, 'x');
  app.call<&service::report_machine>(report);
  std::string reason;
  app.executor.read([&](service::OperationContext& u) { reason = service::machine_of(u).reason; });
  CHECK(reason.size() <= 500);
  CHECK(reason.starts_with("busy"));
  CHECK_FALSE(core::is_unsafe_line(reason));
}
