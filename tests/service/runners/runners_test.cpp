#include "service/runners/runners.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "service/access/access.hpp"
#include "service/event_log.hpp"
#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/runs.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::AnyCall;
using test::call_of;
using test::TestApp;

namespace {

std::string hash_of(std::string_view name) {
  std::string out{name};
  std::ranges::replace_if(out, [](char c) { return c < 'a' || c > 'f'; }, 'c');
  return std::string(64 - out.size(), 'b') + out;
}

/// A caller with the token of a runner, at the start of that number.
service::Caller runner(std::string name, std::int64_t incarnation = 1) {
  service::Caller out;
  out.actor = {core::ActorKind::runner, std::move(name)};
  out.role = service::Role::runner;
  out.source = core::Source::runner;
  out.incarnation = incarnation;
  return out;
}

service::RegisterRunnerRequest registration(std::string name) {
  service::RegisterRunnerRequest out;
  out.name = std::move(name);
  out.protocol = service::kRunnerProtocol;
  out.version = "1.0";
  out.host = "host-of-" + out.name;
  out.place = "place of " + out.name;
  out.slots = 2;
  return out;
}

service::ReportRunnerRequest report(std::string name) {
  service::ReportRunnerRequest out;
  out.name = std::move(name);
  out.load = 0.5;
  out.memory_free = 1'000;
  out.agents = std::vector{core::RunnerAgent{"shell", "5.2", {}}};
  return out;
}

/// A board with a worker and the runner `build`, which is ready for work.
class Yard {
 public:
  Yard() {
    app.add_worker("dev", {.capacity = 5, .takes_unassigned = true});
    add("build");
    begin("build");
  }

  void add(std::string const& name) { app.call<&service::add_runner>({.name = name, .hash = hash_of(name)}); }
  /// Starts the program of a runner.
  core::Runner begin(std::string const& name, service::RegisterRunnerRequest request = {}) {
    if (request.name.empty()) request = registration(name);
    auto const out = app.call<&service::register_runner>(request, runner(name, 0));
    app.call<&service::report_runner>(report(name), runner(name, out.incarnation));
    return out;
  }
  core::Task ready(std::string_view title) { return app.create(title, {.status = "todo"}); }
  core::Result<core::Run> next(std::string name = "build", std::int64_t incarnation = 1) {
    return app.ask<&service::dispatch_next>({.worker = "dev"}, runner(std::move(name), incarnation));
  }
  /// Lets the runner take a task and start its agent.
  core::Run start(std::string const& name = "build") {
    auto const run = next(name).value();
    auto hash = std::to_string(run.id);
    hash.insert(0, 64 - hash.size(), 'a');
    app.call<&service::begin_run>({.id = run.id, .token_hash = hash}, runner(name));
    return app.call<&service::adopt_run>(
        {.id = run.id, .pid = 7, .process = "boot 7", .guard = core::RunGuard{}}, runner(name));
  }
  std::string why_none(std::string name = "build") {
    auto const run = next(std::move(name));
    REQUIRE_FALSE(run);
    return run.error().message;
  }
  service::RunnerView look(std::string_view name) {
    auto const all = app.call<&service::list_runners>().items;
    auto const found = std::ranges::find(all, name, &service::RunnerView::name);
    REQUIRE(found != all.end());
    return *found;
  }
  void wait(core::Duration time) { app.clock.advance(time); }
  std::vector<core::Run> of_gone_runners() {
    std::vector<core::Run> out;
    app.executor.read([&](service::OperationContext& u) { out = service::runs_of_gone_runners(u); });
    return out;
  }
  /// The runner facts of the events since.
  std::string told(core::EventSeq since) {
    std::string out;
    for (auto const& event : app.events(since))
      if (auto const state = service::fact_of(event, "runner_state"); !state.empty())
        out += (out.empty() ? "" : " ") + state;
    return out;
  }

  TestApp app;
};

}  // namespace

TEST_CASE("Runners.OneThatWasAddedIsListedAndNotAlive") {
  Yard yard;
  auto const before = yard.app.last_seq();
  yard.add("spare");
  auto const spare = yard.look("spare");
  CHECK_FALSE(spare.alive);
  CHECK_FALSE(spare.own);
  CHECK(spare.incarnation == 0);
  CHECK(yard.told(before) == "added");
}

TEST_CASE("Runners.NamesMustBeFreeAndTidy") {
  Yard yard;
  yard.app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const refusal = [&](std::string name) {
    return yard.app.refusal<&service::add_runner>({.name = name, .hash = hash_of("other")});
  };
  CHECK(refusal("build") == "CONFLICT");
  CHECK(refusal("local") == "CONFLICT");
  CHECK(refusal("") == "INVALID_INPUT");
  CHECK(refusal("two words") == "INVALID_INPUT");
  CHECK(yard.app.refusal<&service::add_runner>({.name = "other", .hash = "short"}) == "INVALID_INPUT");
}

TEST_CASE("Runners.AreAliveForThirtySecondsAfterAReport") {
  Yard yard;
  CHECK(yard.look("build").alive);
  CHECK(yard.look("build").status.load == 0.5);
  yard.wait(std::chrono::seconds{29});
  CHECK(yard.look("build").alive);
  yard.wait(std::chrono::seconds{1});
  CHECK_FALSE(yard.look("build").alive);
  yard.app.call<&service::report_runner>(report("build"), runner("build"));
  CHECK(yard.look("build").alive);
}

TEST_CASE("Runners.AReportAppendsNoEvent") {
  Yard yard;
  auto const before = yard.app.last_seq();
  yard.app.call<&service::report_runner>(report("build"), runner("build"));
  CHECK(yard.app.last_seq() == before);
}

TEST_CASE("Runners.AReportWithoutNewsKeepsAgents") {
  Yard yard;
  auto short_one = report("build");
  short_one.agents.reset();
  CHECK(yard.app.call<&service::report_runner>(short_one, runner("build")).agents.size() == 1);
}

TEST_CASE("Runners.AnotherProtocolIsRefused") {
  Yard yard;
  auto request = registration("build");
  request.protocol = service::kRunnerProtocol + 1;
  auto const error = yard.app.error<&service::register_runner>(request, runner("build"));
  CHECK(error.code == core::Code::kConflict);
  CHECK(error.field == "protocol");
}

TEST_CASE("Runners.RegistrationsMustBeReasonable") {
  Yard yard;
  auto const refusal = [&](auto const& change) {
    auto request = registration("build");
    change(request);
    return yard.app.refusal<&service::register_runner>(request, runner("build"));
  };
  CHECK(refusal([](auto& r) { r.slots = 0; }) == "INVALID_INPUT");
  CHECK(refusal([](auto& r) { r.slots = 1'001; }) == "INVALID_INPUT");
  CHECK(refusal([](auto& r) { r.host = ""; }) == "INVALID_INPUT");
  CHECK(refusal([](auto& r) { r.host = "two\nlines"; }) == "INVALID_INPUT");
  CHECK(refusal([](auto& r) { r.place = std::string(201, 'x'); }) == "INVALID_INPUT");
  CHECK(refusal([](auto& r) { r.version = "two\nlines"; }) == "INVALID_INPUT");
  CHECK(refusal([](auto& r) { r.workers = {""}; }) == "INVALID_INPUT");
}

TEST_CASE("Runners.ReportsMustBeReasonable") {
  Yard yard;
  auto request = report("build");
  request.agents = std::vector{core::RunnerAgent{"two\nlines", "5.2", {}}};
  CHECK(yard.app.refusal<&service::report_runner>(request, runner("build")) == "INVALID_INPUT");
  request.agents = std::vector<core::RunnerAgent>(201, core::RunnerAgent{"shell", {}, {}});
  CHECK(yard.app.refusal<&service::report_runner>(request, runner("build")) == "INVALID_INPUT");
}

TEST_CASE("Runners.ASecondHostIsRefusedWhileTheFirstIsAlive") {
  Yard yard;
  auto copied = registration("build");
  copied.host = "thief";
  copied.place = "another place";
  auto const error = yard.app.error<&service::register_runner>(copied, runner("build"));
  CHECK(error.code == core::Code::kConflict);
  CHECK(error.message.contains("host-of-build"));
  yard.wait(core::kRunnerSilence);
  CHECK(yard.app.call<&service::register_runner>(copied, runner("build")).host == "thief");
}

TEST_CASE("Runners.TheHostItselfMayStartItsRunnerAgainAtOnce") {
  Yard yard;
  CHECK(yard.begin("build").incarnation == 2);
}

TEST_CASE("Runners.AnOlderStartIsToldToStop") {
  Yard yard;
  yard.begin("build");
  yard.ready("Task");
  CHECK(yard.app.refusal<&service::report_runner>(report("build"), runner("build", 1)) == "STALE_CLAIM");
  CHECK(yard.app.refusal<&service::dispatch_next>({.worker = "dev"}, runner("build", 1)) == "STALE_CLAIM");
  CHECK(yard.app.refusal<&service::list_runs>({}, runner("build", 0)) == "STALE_CLAIM");
  CHECK(yard.next("build", 2));
}

TEST_CASE("Runners.OneSpeaksForNoOther") {
  Yard yard;
  yard.add("spare");
  yard.begin("spare");
  CHECK(yard.app.refusal<&service::report_runner>(report("spare"), runner("build")) == "FORBIDDEN");
  CHECK(yard.app.refusal<&service::register_runner>(registration("spare"), runner("build")) == "FORBIDDEN");
}

TEST_CASE("Runners.APausedOneStartsNothingUntilItIsResumed") {
  Yard yard;
  yard.ready("Task");
  auto const before = yard.app.last_seq();
  yard.app.call<&service::pause_runner>({.name = "build"});
  CHECK(yard.why_none() == "runner \"build\" is paused");
  yard.app.call<&service::pause_runner>({.name = "build"});
  yard.app.call<&service::resume_runner>({.name = "build"});
  CHECK(yard.told(before) == "paused active");
  CHECK(yard.next());
}

TEST_CASE("Runners.ADrainingOneStartsNothingAndItsRunsGoOn") {
  Yard yard;
  yard.ready("Task");
  yard.ready("Another");
  auto const run = yard.start();
  yard.app.call<&service::drain_runner>({.name = "build"});
  CHECK(yard.why_none() == "runner \"build\" is draining");
  CHECK(yard.look("build").running == 1);
  yard.app.call<&service::finish_run>({.id = run.id, .result = "made it", .exit = {.code = 0}},
                                      runner("build"));
  CHECK(yard.look("build").running == 0);
  CHECK(yard.begin("build").state == core::RunnerState::active);
}

TEST_CASE("Runners.SeeAndEndOnlyTheirOwnRuns") {
  Yard yard;
  yard.add("spare");
  yard.begin("spare");
  yard.ready("Task");
  yard.ready("Another");
  auto const mine = yard.start("build");
  auto const other = yard.start("spare");
  auto const seen = yard.app.call<&service::list_runs>({.live = true}, runner("build")).items;
  REQUIRE(seen.size() == 1);
  CHECK(seen.front().id == mine.id);
  auto const leases = yard.app.call<&service::list_leases>({}, runner("build")).items;
  REQUIRE(leases.size() == 1);
  CHECK(leases.front().run == mine.id);
  CHECK(yard.app.refusal<&service::get_run>({.id = other.id}, runner("build")) == "RUN_NOT_FOUND");
  CHECK(yard.app.refusal<&service::finish_run>({.id = other.id}, runner("build")) == "RUN_NOT_FOUND");
  CHECK(yard.app.refusal<&service::report_usage>({.id = other.id}, runner("build")) == "RUN_NOT_FOUND");
  CHECK(yard.app
            .call<&service::finish_run>({.id = mine.id, .result = "made it", .exit = {.code = 0}},
                                        runner("build"))
            .outcome == core::Outcome::succeeded);
}

TEST_CASE("Runners.RunsOfAnotherBootAreNotTheirs") {
  Yard yard;
  yard.ready("Task");
  auto const run = yard.start();
  auto again = registration("build");
  again.place = "place of build after a boot";
  yard.wait(core::kRunnerSilence);
  yard.begin("build", again);
  CHECK(yard.app.call<&service::list_runs>({.live = true}, runner("build", 2)).items.empty());
  CHECK(yard.app.refusal<&service::finish_run>({.id = run.id}, runner("build", 2)) == "FORBIDDEN");
}

TEST_CASE("Runners.TakeNoMoreRunsThanTheyHaveSlots") {
  Yard yard;
  for (auto const title : {"One", "Two", "Three"}) yard.ready(title);
  CHECK(yard.next());
  CHECK(yard.next());
  CHECK(yard.why_none() == "runner \"build\" has 2 of 2 runs");
}

TEST_CASE("Runners.TakeOnlyWorkOfTheWorkersAndRolesTheyName") {
  Yard yard;
  yard.ready("Task");
  auto request = registration("build");
  request.workers = {"qa"};
  yard.begin("build", request);
  CHECK(yard.next("build", 2).error().message == "runner \"build\" takes no work of worker \"dev\"");
  request.workers.clear();
  request.roles = {"tester"};
  yard.begin("build", request);
  CHECK(yard.next("build", 3).error().message.contains("takes no work of the role"));
  request.roles.clear();
  yard.begin("build", request);
  CHECK(yard.next("build", 4));
}

TEST_CASE("Runners.TakeOnlyWorkWhoseAgentCanStartThere") {
  Yard yard;
  yard.ready("Task");
  auto news = report("build");
  news.agents = std::vector{core::RunnerAgent{"shell", {}, "it is not signed in"}};
  yard.app.call<&service::report_runner>(news, runner("build"));
  CHECK(yard.why_none().contains("agent"));
  news.agents = std::vector{core::RunnerAgent{"shell", "5.2", {}}};
  yard.app.call<&service::report_runner>(news, runner("build"));
  CHECK(yard.next());
}

TEST_CASE("Runners.TakeNoWorkOfARepositoryTheyCannotUse") {
  Yard yard;
  yard.ready("Task");
  auto news = report("build");
  news.unusable = std::vector{core::RunnerRepository{"classic", "there is no clone of it"}};
  yard.app.call<&service::report_runner>(news, runner("build"));
  CHECK_FALSE(yard.next());
  news.unusable = std::vector<core::RunnerRepository>{};
  yard.app.call<&service::report_runner>(news, runner("build"));
  CHECK(yard.next());
}

TEST_CASE("Runners.RevokingOneGivesItsTasksBackWhenTheirLeasesAreOver") {
  Yard yard;
  auto const task = yard.ready("Task");
  auto const run = yard.start();
  auto const before = yard.app.last_seq();
  CHECK(yard.app.call<&service::revoke_runner>({.name = "build"}).state == core::RunnerState::revoked);
  CHECK(yard.told(before) == "revoked");
  CHECK_FALSE(yard.look("build").alive);
  CHECK(yard.of_gone_runners().empty());
  // The agent cannot hold its task any longer, whatever its host does.
  yard.app.executor.read([&](service::OperationContext& u) {
    for (auto const& token : u.tx.tokens_of_run(run.id)) CHECK(token.revoked);
  });
  yard.wait(*yard.app.get(task.id).claim_expires - yard.app.clock.now() + std::chrono::seconds{10});
  auto const gone = yard.of_gone_runners();
  REQUIRE(gone.size() == 1);
  yard.app.call<&service::finish_run>({.id = gone.front().id});
  CHECK(yard.app.get(task.id).claimed_by.empty());
  CHECK(yard.app.call<&service::remove_runner>({.name = "build"}).name == "build");
  CHECK(yard.app.call<&service::list_runners>().items.empty());
}

TEST_CASE("Runners.ARevokedOneComesBackOnlyWithANewToken") {
  Yard yard;
  yard.app.call<&service::revoke_runner>({.name = "build"});
  CHECK(yard.app.refusal<&service::resume_runner>({.name = "build"}) == "CONFLICT");
  CHECK(yard.app.refusal<&service::pause_runner>({.name = "build"}) == "CONFLICT");
  CHECK(yard.app.refusal<&service::report_runner>(report("build"), runner("build")) == "UNAUTHENTICATED");
  CHECK(yard.app.refusal<&service::register_runner>(registration("build"), runner("build")) ==
        "UNAUTHENTICATED");
  yard.app.call<&service::add_runner>({.name = "build", .hash = hash_of("abc")});
  CHECK_FALSE(yard.look("build").alive);
  CHECK(yard.begin("build").incarnation == 2);
}

TEST_CASE("Runners.OnlyThoseWithoutUseAreRemoved") {
  Yard yard;
  CHECK(yard.app.refusal<&service::remove_runner>({.name = "build"}) == "CONFLICT");
  CHECK(yard.app.refusal<&service::remove_runner>({.name = "nobody"}) == "NOT_FOUND");
  yard.add("spare");
  yard.app.call<&service::remove_runner>({.name = "spare"});
  CHECK(yard.app.call<&service::list_runners>().items.size() == 1);
}

TEST_CASE("Runners.PeopleAndRunsMayNotSpeakForOne") {
  Yard yard;
  yard.ready("Task");
  auto const run = yard.start();
  std::vector<AnyCall> const of_runners{call_of<&service::register_runner>(registration("build")),
                                        call_of<&service::report_runner>(report("build")),
                                        call_of<&service::dispatch_next>({.worker = "dev"})};
  for (auto const& call : of_runners) {
    CHECK(yard.app.refusal(call, test::person("bob")) == "FORBIDDEN");
    CHECK(yard.app.refusal(call, test::agent(run)) == "FORBIDDEN");
  }
  std::vector<AnyCall> const of_admins{
      call_of<&service::add_runner>({.name = "other", .hash = hash_of("other")}),
      call_of<&service::revoke_runner>({.name = "build"}),
      call_of<&service::remove_runner>({.name = "build"})};
  for (auto const& call : of_admins) {
    CHECK(yard.app.refusal(call, test::person("bob")) == "FORBIDDEN");
    CHECK(yard.app.refusal(call, runner("build")) == "FORBIDDEN");
    CHECK(yard.app.refusal(call, test::agent(run)) == "FORBIDDEN");
  }
  std::vector<AnyCall> const of_people{call_of<&service::list_runners>({}),
                                       call_of<&service::pause_runner>({.name = "build"}),
                                       call_of<&service::drain_runner>({.name = "build"})};
  for (auto const& call : of_people) {
    CHECK(yard.app.refusal(call, runner("build")) == "FORBIDDEN");
    CHECK(yard.app.refusal(call, test::agent(run)) == "FORBIDDEN");
    CHECK(yard.app.ask(call, test::person("bob")));
  }
}

TEST_CASE("Runners.OfServersAreListedFirst") {
  Yard yard;
  yard.app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const all = yard.app.call<&service::list_runners>().items;
  REQUIRE(all.size() == 2);
  CHECK(all.front().own);
  CHECK(all.front().alive);
  CHECK_FALSE(all.back().own);
}

TEST_CASE("Runners.WhySaysWhyEachTakesNothing") {
  Yard yard;
  auto const task = yard.ready("Task");
  auto const why = [&] {
    std::string out;
    for (auto const& one : yard.app.call<&service::why_not_running>({.id = task.id}).hindrances)
      out += one.code + ": " + one.text + "\n";
    return out;
  };
  CHECK(why().empty());
  yard.add("spare");
  auto const spare = registration("spare");
  yard.begin("spare");
  yard.app.call<&service::pause_runner>({.name = "build"});
  CHECK(why().empty());
  auto news = report("spare");
  news.unusable = std::vector{core::RunnerRepository{"classic", "there is no clone of it"}};
  yard.app.call<&service::report_runner>(news, runner("spare"));
  CHECK(why() ==
        "runner: runner \"build\" is paused; runner \"spare\" cannot work in the repository of board "
        "\"classic\": there is no clone of it\n");
  yard.wait(core::kRunnerSilence);
  CHECK(why() ==
        "runner: no server with a runner is at work here, and no runner on another host was heard of in the "
        "last 30 seconds; see: andon runners\n");
}
