#include <doctest/doctest.h>

#include "service/insight/attention.hpp"
#include "service/insight/why.hpp"
#include "service/limits/accounts.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using core::Stage;

namespace {

/// One worker with two accounts of a program and another program, and four tasks.
struct Fleet : TestApp {
  Fleet() {
    executor.write([](service::OperationContext& unit) { return service::set_runner(unit, true), true; });
    add_worker("ada",
               {.role = "coder", .agents = std::vector<std::string>{"claude@work", "claude@home", "codex"}});
    for (auto const* title : {"Fix the cart", "Write the guide", "Add a filter", "Test the import"})
      create(title, {.status = "todo", .role = "coder"});
  }
  core::Worker ada() { return call<&service::get_worker>({.name = "ada"}); }
  /// Lets the run meet the limit of its account, which ends after that time.
  void limit(core::Run const& run, std::optional<core::Duration> after = {}) {
    finish(run, {.stopped_because = core::StopReason::rate_limited,
                 .resets_at = after ? std::optional{clock.now() + *after} : std::nullopt});
  }
  std::string refused_start() {
    auto const run = ask<&service::dispatch_next>({.worker = "ada"});
    return run ? "started" : run.error().message;
  }
};

}  // namespace

TEST_CASE("FailOver.TheNextAttemptUsesTheNextAccountAndTheFirstOneAfterItsRest") {
  Fleet fleet;
  auto const first = fleet.start("ada");
  CHECK(first.agent == "claude@work");
  fleet.limit(first, 2h);
  CHECK(fleet.ada().uses == "claude@home");
  CHECK(fleet.ada().state == core::WorkerStatus::idle);
  auto const second = fleet.start("ada");
  CHECK(second.task == first.task);
  CHECK(second.agent == "claude@home");
  CHECK(second.attempt == 1);
  fleet.limit(second, 3h);
  auto const third = fleet.start("ada");
  CHECK(third.agent == "codex");
  fleet.finish(third);
  fleet.clock.advance(2h);
  auto const fourth = fleet.start("ada");
  CHECK(fourth.agent == "claude@work");
  CHECK(fleet.ada().uses.empty());
}

TEST_CASE("FailOver.NothingStartsWhileAllAccountsRest") {
  Fleet fleet;
  for (auto const hours : {2h, 1h, 3h}) fleet.limit(fleet.start("ada"), hours);
  auto const why = fleet.refused_start();
  for (auto const* name : {"claude@work", "claude@home", "codex"}) CHECK(why.find(name) != std::string::npos);
  CHECK(fleet.ada().state == core::WorkerStatus::limited);
  CHECK(fleet.ada().limited_until == fleet.clock.now() + 1h);
  auto const task = fleet.get(core::TaskId{1});
  auto const own = fleet.create("By hand", {.status = "todo", .assignee = "ada"});
  CHECK(fleet.refusal<&service::move_task>({.id = own.id, .status = "in-progress"}) == "CONFLICT");
  CHECK(task.attempt == 0);
  fleet.clock.advance(1h);
  CHECK(fleet.start("ada").agent == "claude@home");
}

TEST_CASE("FailOver.APausedAccountIsPassedOverUntilItIsResumed") {
  Fleet fleet;
  fleet.call<&service::pause_account>({.account = "claude@work", .reason = "the bill is unpaid"});
  CHECK(fleet.refusal<&service::pause_account>({.account = "gemini"}) == "NOT_FOUND");
  auto const run = fleet.start("ada");
  CHECK(run.agent == "claude@home");
  fleet.finish(run);
  fleet.call<&service::resume_account>({.account = "claude@work"});
  CHECK(fleet.start("ada").agent == "claude@work");
}

TEST_CASE("FailOver.AnAccountThatIsNotSignedInIsPausedInsteadOfTheWorker") {
  Fleet fleet;
  auto const run = fleet.start("ada");
  fleet.finish(run, {.stopped_because = core::StopReason::unfit, .result = "its agent is not signed in"});
  CHECK_FALSE(fleet.ada().paused);
  auto const accounts = fleet.call<&service::list_accounts>();
  REQUIRE(accounts.items.size() == 1);
  CHECK(accounts.items.front().paused);
  CHECK(accounts.items.front().reason == "its agent is not signed in");
  CHECK(fleet.start("ada").agent == "claude@home");
}

/// The server may end between the pick and the start, and the limit may come in that time.
TEST_CASE("FailOver.ARunThatWasOpenedBeforeTheLimitBeginsOnTheNextAccount") {
  Fleet fleet;
  fleet.add_worker("bob", {.role = "coder", .agents = std::vector<std::string>{"claude@work"}});
  auto const other = fleet.start("bob");
  auto const opened = fleet.call<&service::dispatch_next>({.worker = "ada"});
  CHECK(opened.agent == "claude@work");
  fleet.limit(other, 2h);
  auto const brief = fleet.call<&service::begin_run>({.id = opened.id, .token_hash = std::string(64, 'b')});
  CHECK(brief.worker.agent == "claude@home");
  CHECK(brief.run.agent == "claude@home");
}

TEST_CASE("FailOver.ARunThatWasOpenedBeforeTheLimitBeginsOnNoRestingAccount") {
  Fleet fleet;
  fleet.add_worker("bob", {.role = "coder", .agents = std::vector<std::string>{"claude@work"}});
  fleet.add_worker("cleo", {.role = "coder", .agents = std::vector<std::string>{"claude@work"}});
  auto const other = fleet.start("bob");
  auto const opened = fleet.call<&service::dispatch_next>({.worker = "cleo"});
  fleet.limit(other, 2h);
  CHECK(fleet.refusal<&service::begin_run>({.id = opened.id, .token_hash = std::string(64, 'b')}) ==
        "NOTHING_TO_PICK");
  fleet.finish(opened, {.stopped_because = core::StopReason::withdrawn, .result = "its account rests"});
  auto const task = fleet.get(opened.task);
  CHECK(task.stage == Stage::ready);
  CHECK(task.attempt == 0);
}

/// A limit without an end leaves one run at once, which must not count against itself.
TEST_CASE("FailOver.ARecoveringAccountStartsAsManyRunsAsItHas") {
  Fleet fleet;
  fleet.call<&service::edit_worker>({.name = "ada", .agents = std::vector<std::string>{"codex"}});
  fleet.add_worker("bob", {.role = "coder", .agents = std::vector<std::string>{"codex"}});
  fleet.limit(fleet.start("ada"));
  fleet.clock.advance(30s);
  auto const run = fleet.start("ada");
  CHECK(run.agent == "codex");
  auto const other = fleet.ask<&service::dispatch_next>({.worker = "bob"});
  REQUIRE_FALSE(other);
  CHECK(other.error().message.find("has 1 of 1 runs") != std::string::npos);
  fleet.finish(run);
  CHECK(fleet.start("bob").agent == "codex");
}

TEST_CASE("FailOver.TheListOfAgentsIsCheckedAndNamesTheFirstAsTheAgent") {
  Fleet fleet;
  CHECK(fleet.ada().agent == "claude@work");
  auto const error =
      fleet.error<&service::edit_worker>({.name = "ada", .agents = std::vector<std::string>{"a@b@c"}});
  CHECK(error.field == "agents");
  CHECK(fleet
            .error<&service::edit_worker>(
                {.name = "ada", .agent = "codex", .agents = std::vector<std::string>{"claude"}})
            .field == "agent");
  auto const run = fleet.start("ada");
  CHECK(fleet.refusal<&service::edit_worker>({.name = "ada", .agent = "codex"}, agent(run)) == "FORBIDDEN");
  auto const edited = fleet.call<&service::edit_worker>({.name = "ada", .agent = "codex"});
  CHECK(edited.agents.empty());
  CHECK(edited.agent == "codex");
}

TEST_CASE("QuietHours.OfAWorkerHoldItsWork") {
  Fleet fleet;  // its clock starts at 08:00 UTC
  fleet.call<&service::edit_worker>({.name = "ada", .quiet = core::QuietHours{"08:00", "10:30", ""}});
  CHECK(fleet.refused_start().find("quiet hours until") != std::string::npos);
  auto const why = fleet.call<&service::why_not_running>({.id = {"1"}});
  CHECK(std::ranges::any_of(why.hindrances, [](auto const& each) { return each.code == "quiet"; }));
  fleet.clock.advance(2h + 30min);
  CHECK(fleet.refused_start() == "started");
  CHECK(fleet.error<&service::edit_worker>({.name = "ada", .quiet = core::QuietHours{"25:00", "10:30", ""}})
            .field == "quiet/from");
  CHECK(
      fleet.error<&service::edit_worker>({.name = "ada", .quiet = core::QuietHours{"22:00", "07:00", "Mars"}})
          .field == "quiet/tz");
}

TEST_CASE("QuietHours.OfAClassHoldItsTasksAndNoOther") {
  Fleet fleet;
  fleet.create("Put out the fire", {.status = "todo", .role = "coder", .class_ = "expedite"});
  auto classes = fleet.call<&service::get_board>({.board = "classic"}).classes;
  for (auto& each : classes)
    if (each.name != "expedite") each.quiet = core::QuietHours{"00:00", "23:59", ""};
  fleet.call<&service::edit_board>(board_edit("classic", [&](auto& edit) { edit.classes = classes; }));
  auto const run = fleet.start("ada");
  CHECK(fleet.get(run.task).class_ == "expedite");
  fleet.finish(run);
  CHECK(fleet.refused_start().find("nothing waits") != std::string::npos);
  auto const why = fleet.call<&service::why_not_running>({.id = {"1"}});
  CHECK(std::ranges::any_of(why.hindrances, [](auto const& each) { return each.code == "quiet"; }));
}

TEST_CASE("CrashLoop.CrashesOfSeveralWorkersRestTheirAccountAndCostNoAttempt") {
  TestApp app;
  app.executor.write([](service::OperationContext& unit) { return service::set_runner(unit, true), true; });
  for (auto const* name : {"ann", "ben", "cid"}) {
    app.add_worker(name, {.agent = "claude"});
    app.create(std::string{"For "} + name, {.status = "todo", .assignee = name});
  }
  auto const state = [&](char const* name) { return app.call<&service::get_worker>({name}).state; };
  auto const task_of = [&](core::Run const& run) {
    return app.call<&service::get_task>({.id = {std::to_string(run.task)}});
  };
  std::vector<core::Run> runs;
  for (auto const* name : {"ann", "ben", "cid"}) runs.push_back(app.start(name));
  for (auto const& run : runs) app.finish(run, {.exit = {.code = 1}});
  for (auto const* name : {"ann", "ben", "cid"}) CHECK(state(name) == core::WorkerStatus::limited);
  for (auto const& run : runs) {
    CHECK(task_of(run).attempt == 0);
    CHECK(task_of(run).stage == Stage::ready);
  }
  auto const list = app.call<&service::list_attention>({});
  CHECK(std::ranges::count(list.items, core::AttentionKind::limit, &service::AttentionEntry::kind) == 1);
  app.clock.advance(2min);
  auto const again = app.start("ann");
  CHECK(again.attempt == 1);
  app.finish(again, {.exit = {.code = 1}});
  CHECK(task_of(again).attempt == 0);
  CHECK(state("ben") == core::WorkerStatus::limited);
  app.clock.advance(10min);
  app.finish(app.start("ben"));
  CHECK(state("ann") == core::WorkerStatus::idle);
}

TEST_CASE("CrashLoop.CrashesOfOneWorkerPauseIt") {
  TestApp app;
  app.executor.write([](service::OperationContext& unit) { return service::set_runner(unit, true), true; });
  for (auto const* name : {"ann", "ben"}) app.add_worker(name, {.agent = "claude"});
  for (auto const* name : {"ann", "ben", "ann", "ann"})
    app.create("Task", {.status = "todo", .assignee = name});
  app.finish(app.start("ann"), {.exit = {.code = 1}});
  app.finish(app.start("ben"));
  for (int i = 0; i < 2; ++i) app.finish(app.start("ann"), {.exit = {.code = 1}});
  auto const ann = app.call<&service::get_worker>({"ann"});
  CHECK(ann.state == core::WorkerStatus::paused);
  CHECK(ann.paused_because.starts_with("3 attempts in a row failed at once"));
  CHECK(app.call<&service::get_worker>({"ben"}).state == core::WorkerStatus::idle);
}
