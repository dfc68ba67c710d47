#include "service/runners/runner_yard.hpp"
#include "service/tasks/move.hpp"
#include "service/teams/wanted_on_machine.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Runners.OneThatWasAddedIsListedAndNotAlive") {
  RunnerYard yard;
  auto const before = yard.app.last_seq();
  yard.add("spare");
  auto const spare = yard.look("spare");
  CHECK_FALSE(spare.alive);
  CHECK_FALSE(spare.own);
  CHECK(spare.incarnation == 0);
  CHECK(yard.told(before) == "added");
}

TEST_CASE("Runners.NamesMustBeFreeAndTidy") {
  RunnerYard yard;
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
  RunnerYard yard;
  CHECK(yard.look("build").alive);
  CHECK(yard.look("build").status.load == 0.5);
  CHECK(yard.look("build").status.server == service::kOnlyServer);
  yard.wait(std::chrono::seconds{29});
  CHECK(yard.look("build").alive);
  yard.wait(std::chrono::seconds{1});
  CHECK_FALSE(yard.look("build").alive);
  yard.app.call<&service::report_runner>(report("build"), as_runner("build"));
  CHECK(yard.look("build").alive);
}

TEST_CASE("Runners.AReportAppendsNoEvent") {
  RunnerYard yard;
  auto const before = yard.app.last_seq();
  yard.app.call<&service::report_runner>(report("build"), as_runner("build"));
  CHECK(yard.app.last_seq() == before);
}

TEST_CASE("Runners.AReportWithoutNewsKeepsAgents") {
  RunnerYard yard;
  auto short_one = report("build");
  short_one.agents.reset();
  CHECK(yard.app.call<&service::report_runner>(short_one, as_runner("build")).agents.size() == 1);
}

TEST_CASE("Runners.AnotherProtocolIsRefused") {
  RunnerYard yard;
  auto request = registration("build");
  request.protocol = service::kRunnerProtocol + 1;
  auto const error = yard.app.error<&service::register_runner>(request, as_runner("build"));
  CHECK(error.code == core::Code::kConflict);
  CHECK(error.field == "protocol");
}

TEST_CASE("Runners.RegistrationsMustBeReasonable") {
  RunnerYard yard;
  auto const refusal = [&](auto const& change) {
    auto request = registration("build");
    change(request);
    return yard.app.refusal<&service::register_runner>(request, as_runner("build"));
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
  RunnerYard yard;
  auto request = report("build");
  request.agents = std::vector{core::RunnerAgent{"two\nlines", "5.2", {}}};
  CHECK(yard.app.refusal<&service::report_runner>(request, as_runner("build")) == "INVALID_INPUT");
  request.agents = std::vector<core::RunnerAgent>(201, core::RunnerAgent{"shell", {}, {}});
  CHECK(yard.app.refusal<&service::report_runner>(request, as_runner("build")) == "INVALID_INPUT");
}

TEST_CASE("Runners.ASecondHostIsRefusedWhileTheFirstIsAlive") {
  RunnerYard yard;
  auto copied = registration("build");
  copied.host = "thief";
  copied.place = "another place";
  auto const error = yard.app.error<&service::register_runner>(copied, as_runner("build"));
  CHECK(error.code == core::Code::kConflict);
  CHECK(error.message.contains("host-of-build"));
  yard.wait(core::kRunnerSilence);
  CHECK(yard.app.call<&service::register_runner>(copied, as_runner("build")).host == "thief");
}

TEST_CASE("Runners.TheHostItselfMayStartItsRunnerAgainAtOnce") {
  RunnerYard yard;
  CHECK(yard.begin("build").incarnation == 2);
}

TEST_CASE("Runners.AnOlderStartIsToldToStop") {
  RunnerYard yard;
  yard.begin("build");
  yard.ready("Task");
  CHECK(yard.app.refusal<&service::report_runner>(report("build"), as_runner("build", 1)) == "STALE_CLAIM");
  CHECK(yard.app.refusal<&service::dispatch_next>({.worker = "dev"}, as_runner("build", 1)) == "STALE_CLAIM");
  CHECK(yard.app.refusal<&service::list_runs>({}, as_runner("build", 0)) == "STALE_CLAIM");
  CHECK(yard.next("build", 2));
}

TEST_CASE("Runners.OneSpeaksForNoOther") {
  RunnerYard yard;
  yard.add("spare");
  yard.begin("spare");
  CHECK(yard.app.refusal<&service::report_runner>(report("spare"), as_runner("build")) == "FORBIDDEN");
  CHECK(yard.app.refusal<&service::register_runner>(registration("spare"), as_runner("build")) ==
        "FORBIDDEN");
}

TEST_CASE("Runners.APausedOneStartsNothingUntilItIsResumed") {
  RunnerYard yard;
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
  RunnerYard yard;
  yard.ready("Task");
  yard.ready("Another");
  auto const run = yard.start();
  yard.app.call<&service::drain_runner>({.name = "build"});
  CHECK(yard.why_none() == "runner \"build\" is draining");
  CHECK(yard.look("build").running == 1);
  yard.app.call<&service::finish_run>({.id = run.id, .result = "made it", .exit = {.code = 0}},
                                      as_runner("build"));
  CHECK(yard.look("build").running == 0);
  CHECK(yard.begin("build").state == core::RunnerState::active);
}

TEST_CASE("Runners.SeeAndEndOnlyTheirOwnRuns") {
  RunnerYard yard;
  yard.add("spare");
  yard.begin("spare");
  yard.ready("Task");
  yard.ready("Another");
  auto const mine = yard.start("build");
  auto const other = yard.start("spare");
  auto const seen = yard.app.call<&service::list_runs>({.live = true}, as_runner("build")).items;
  REQUIRE(seen.size() == 1);
  CHECK(seen.front().id == mine.id);
  auto const leases = yard.app.call<&service::list_leases>({}, as_runner("build")).items;
  REQUIRE(leases.size() == 1);
  CHECK(leases.front().run == mine.id);
  CHECK(yard.app.refusal<&service::get_run>({.id = other.id}, as_runner("build")) == "RUN_NOT_FOUND");
  CHECK(yard.app.refusal<&service::finish_run>({.id = other.id}, as_runner("build")) == "RUN_NOT_FOUND");
  CHECK(yard.app.refusal<&service::report_usage>({.id = other.id}, as_runner("build")) == "RUN_NOT_FOUND");
  CHECK(yard.app
            .call<&service::finish_run>({.id = mine.id, .result = "made it", .exit = {.code = 0}},
                                        as_runner("build"))
            .outcome == core::Outcome::succeeded);
}

TEST_CASE("Runners.RunsOfAnotherBootAreNotTheirs") {
  RunnerYard yard;
  yard.ready("Task");
  auto const run = yard.start();
  auto again = registration("build");
  again.place = "place of build after a boot";
  yard.wait(core::kRunnerSilence);
  yard.begin("build", again);
  CHECK(yard.app.call<&service::list_runs>({.live = true}, as_runner("build", 2)).items.empty());
  CHECK(yard.app.refusal<&service::finish_run>({.id = run.id}, as_runner("build", 2)) == "FORBIDDEN");
}

TEST_CASE("Runners.TakeNoMoreRunsThanTheyHaveSlots") {
  RunnerYard yard;
  for (auto const title : {"One", "Two", "Three"}) yard.ready(title);
  CHECK(yard.next());
  CHECK(yard.next());
  CHECK(yard.why_none() == "runner \"build\" has 2 of 2 runs");
}

TEST_CASE("Runners.TakeOnlyWorkOfTheWorkersAndRolesTheyName") {
  RunnerYard yard;
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
  RunnerYard yard;
  yard.ready("Task");
  auto news = report("build");
  news.agents = std::vector{core::RunnerAgent{"shell", {}, "it is not signed in"}};
  yard.app.call<&service::report_runner>(news, as_runner("build"));
  CHECK(yard.why_none().contains("agent"));
  news.agents = std::vector{core::RunnerAgent{"shell", "5.2", {}}};
  yard.app.call<&service::report_runner>(news, as_runner("build"));
  CHECK(yard.next());
}

TEST_CASE("Runners.TakeNoWorkOfARepositoryTheyCannotUse") {
  RunnerYard yard;
  yard.ready("Task");
  auto news = report("build");
  news.unusable = std::vector{core::RunnerRepository{"classic", "there is no clone of it"}};
  yard.app.call<&service::report_runner>(news, as_runner("build"));
  CHECK_FALSE(yard.next());
  news.unusable = std::vector<core::RunnerRepository>{};
  yard.app.call<&service::report_runner>(news, as_runner("build"));
  CHECK(yard.next());
}

TEST_CASE("Runners.RevokingOneGivesItsTasksBackWhenTheirLeasesAreOver") {
  RunnerYard yard;
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
  RunnerYard yard;
  yard.app.call<&service::revoke_runner>({.name = "build"});
  CHECK(yard.app.refusal<&service::resume_runner>({.name = "build"}) == "CONFLICT");
  CHECK(yard.app.refusal<&service::pause_runner>({.name = "build"}) == "CONFLICT");
  CHECK(yard.app.refusal<&service::report_runner>(report("build"), as_runner("build")) == "UNAUTHENTICATED");
  CHECK(yard.app.refusal<&service::register_runner>(registration("build"), as_runner("build")) ==
        "UNAUTHENTICATED");
  yard.app.call<&service::add_runner>({.name = "build", .hash = hash_of("abc")});
  CHECK_FALSE(yard.look("build").alive);
  CHECK(yard.begin("build").incarnation == 2);
}

TEST_CASE("Runners.OnlyThoseWithoutUseAreRemoved") {
  RunnerYard yard;
  CHECK(yard.app.refusal<&service::remove_runner>({.name = "build"}) == "CONFLICT");
  CHECK(yard.app.refusal<&service::remove_runner>({.name = "nobody"}) == "NOT_FOUND");
  yard.add("spare");
  yard.app.call<&service::remove_runner>({.name = "spare"});
  CHECK(yard.app.call<&service::list_runners>().items.size() == 1);
}

TEST_CASE("Runners.PeopleAndRunsMayNotSpeakForOne") {
  RunnerYard yard;
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
    CHECK(yard.app.refusal(call, as_runner("build")) == "FORBIDDEN");
    CHECK(yard.app.refusal(call, test::agent(run)) == "FORBIDDEN");
  }
  std::vector<AnyCall> const of_people{call_of<&service::list_runners>({}),
                                       call_of<&service::pause_runner>({.name = "build"}),
                                       call_of<&service::drain_runner>({.name = "build"})};
  for (auto const& call : of_people) {
    CHECK(yard.app.refusal(call, as_runner("build")) == "FORBIDDEN");
    CHECK(yard.app.refusal(call, test::agent(run)) == "FORBIDDEN");
    CHECK(yard.app.ask(call, test::person("bob")));
  }
}

TEST_CASE("Runners.OfServersAreListedFirst") {
  RunnerYard yard;
  yard.app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const all = yard.app.call<&service::list_runners>().items;
  REQUIRE(all.size() == 2);
  CHECK(all.front().own);
  CHECK(all.front().alive);
  CHECK_FALSE(all.back().own);
}

TEST_CASE("Runners.WhySaysWhyEachTakesNothing") {
  RunnerYard yard;
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
  yard.app.call<&service::report_runner>(news, as_runner("spare"));
  CHECK(why() ==
        "runner: runner \"build\" is paused; runner \"spare\" cannot work in the repository of board "
        "\"classic\": there is no clone of it\n");
  yard.wait(core::kRunnerSilence);
  CHECK(why() ==
        "runner: no server with a runner is at work here, and no runner on another host was heard of in the "
        "last 30 seconds; see: andon runners\n"
        "runner: worker \"dev\" waits for runner \"spare\", which has its agent and was not heard of in the "
        "last "
        "30 seconds\n");
}

TEST_CASE("Runners.WorkOfAnAgentThatOnlyARunnerHasWaitsForIt") {
  RunnerYard yard;
  auto& app = yard.app;
  app.executor.write([](service::OperationContext& u) {
    service::set_runner(u, true);
    return true;
  });
  app.call<&service::report_agents>({.agents = {"claude", "shellfish"}});
  auto const task = app.create("Ship", {.status = "todo", .assignee = "dev"});
  auto const why = [&] { return app.call<&service::why_not_running>({.id = task.id}).hindrances; };
  CHECK(why().empty());
  yard.wait(core::kRunnerSilence);
  auto const blockers = why();
  REQUIRE(blockers.size() == 1);
  CHECK(blockers[0].code == "runner");
  CHECK(blockers[0].text.contains("worker \"dev\" waits for runner \"build\", which has its agent"));
  auto const refused =
      app.ask<&service::move_task>({.id = {std::to_string(task.id)}, .status = "in-progress"});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.contains("no runner takes work of worker \"dev\""));
  app.call<&service::report_agents>({.agents = {"claude", "shell"}});
  CHECK(why().empty());
}

TEST_CASE("Runners.AnAgentThatNoMachineHasIsARemarkWhereThereAreRunners") {
  RunnerYard yard;
  auto& app = yard.app;
  auto const remarks = [&](std::string const& name, std::string const& agent) {
    service::PutWorkerRequest request;
    request.name = name;
    request.agent = agent;
    return app.call<&service::add_worker>(request).warnings;
  };
  CHECK(remarks("ann", "shell").empty());
  auto const said = remarks("ben", "other");
  REQUIRE(said.size() == 1);
  CHECK(said[0].contains("no machine has the agent profile \"other\" yet"));
  CHECK(app.call<&service::get_worker>({"ben"}).warnings.empty());
  auto const wanted = [&](std::string const& agent) {
    service::PutWorkerRequest request;
    request.name = "cid";
    request.agent = agent;
    std::size_t out = 0;
    app.executor.read(
        [&](service::OperationContext& u) { out = service::wanted_by_worker(u, request)->items.size(); });
    return out;
  };
  CHECK(wanted("other") == 0);
  app.call<&service::revoke_runner>({"build"});
  CHECK(wanted("other") == 1);
  CHECK(remarks("dan", "other").empty());
}
