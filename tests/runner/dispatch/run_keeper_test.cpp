#include "runner/dispatch/run_keeper.hpp"

#include <csignal>
#include <fstream>
#include <poll.h>
#include <set>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "api/operation.hpp"
#include "os/files/file.hpp"
#include "os/processes/adopted_children.hpp"
#include "os/processes/process_table.hpp"
#include "os/processes/resource_use.hpp"
#include "runner/absent_board.hpp"
#include "runner/dispatch/local_run_host.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "runner/supervision/sweep.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/workers/workers.hpp"
#include "store/contract/store.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;
using test::Absence;
using test::AbsentBoard;

namespace {

constexpr int kMostSteps = 2'000;  // of 10 ms; no test passes or fails by it unless something hangs

/// A server's keeper with one worker whose agent is that script, under real supervising processes. They do
/// not reach the store: their ends come from the run directory, their leases are never renewed.
struct KeeperPlace {
  explicit KeeperPlace(std::string const& script, Absence absence = {})
      : board{executor, std::move(absence)} {
    os::make_directories(data);
    executor.set_workspace_port(port);
    write_script(script);
    executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
    service::CreateBoardRequest shop;
    shop.name = "shop";
    shop.checks.emplace().emplace("unit", std::vector<std::string>{"false"});
    REQUIRE(client.call<&service::create_board>(shop));
    service::PutWorkerRequest worker;
    worker.name = "dev";
    worker.agent = "mine";
    worker.takes_unassigned = true;
    REQUIRE(client.call<&service::add_worker>(worker));
    service::CreateTaskRequest task;
    task.board = "shop";
    task.title = "Work";
    task.status = "todo";
    REQUIRE(client.call<&service::create_task>(task));
    auto const opened = client.call<&service::dispatch_next>(service::DispatchRequest{"dev"});
    REQUIRE(opened);
    id = opened->id;
    keeper.begin(*opened);
  }
  ~KeeperPlace() {
    auto const known = run();
    sweep_run({.run_dir = dir(), .supervisor = os::parse_process(known.process), .with_adopted = true});
    step_until([&] { return run().state == core::RunState::ended; });
  }

  void write_script(std::string const& script) const {
    auto const program = scratch / "agent";
    std::ofstream{program} << "#!/bin/sh\ncat >/dev/null\n" << script << "\n";
    ::chmod(program.c_str(), 0755);
    os::make_private_directory(data.agents);
    os::write_file(data.agents / "mine.json",
                   R"({"schema":1,"id":"mine","argv":[")" + program.native() + R"("]})");
  }
  core::Run run() { return *client.call<&service::get_run>(service::RunRequest{id}); }
  std::filesystem::path dir() const { return std::filesystem::absolute(data.runs()) / std::to_string(id); }
  bool exists(std::string_view name) const { return std::filesystem::exists(dir() / "work" / name); }
  void step() { keeper.step(clock.now(), uptime); }
  bool step_until(std::function<bool()> const& is_so) {
    for (int steps = 0; steps < kMostSteps; ++steps) {
      if (is_so()) return true;
      step();
      ::poll(nullptr, 0, 10);
    }
    return false;
  }
  core::Run ended() {
    REQUIRE(step_until([&] { return run().state == core::RunState::ended; }));
    return run();
  }

  test::Scratch scratch;
  test::FakeClock clock;
  core::Duration uptime{1'000'000};
  os::DataDirectory data = os::data_directory(scratch / "data");
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  OperationClient client{executor};
  LocalWorkspacePort port{executor, data, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE};
  AbsentBoard board;
  OperationClient keepers{board};
  LocalRunHost host{keepers, data,
                    Launcher{data, ANDON_SUPERVISE, {"PATH=/usr/bin:/bin", "ASAN_OPTIONS=detect_leaks=0"}},
                    [] { return std::string{"http://127.0.0.1:1"}; }, DocumentsAt::server};
  RunKeeper keeper{keepers, host};
  core::RunId id = 0;
};

}  // namespace

TEST_CASE("RunKeeper.AnEndUnderTheSealOfItsSupervisorCounts") {
  KeeperPlace place{"echo made it"};
  auto const run = place.ended();
  CHECK(run.exit->code == 0);
  CHECK(run.result == "made it");
}

TEST_CASE("RunKeeper.AnAgentThatReportedEndsByItself") {
  KeeperPlace place{"touch began; while [ ! -e go ]; do sleep 0.01; done; echo closing words"};
  REQUIRE(place.step_until([&] { return place.exists("began"); }));
  place.executor.write([&](service::OperationContext& u) {
    auto run = u.tx.run(place.id);
    run->said = core::AgentReport::done;
    u.tx.put(*run);
    return true;
  });
  for (int n = 0; n < 5; ++n) {
    place.keeper.step(place.clock.now(), place.uptime);
    place.clock.advance(std::chrono::seconds{11});
  }
  os::write_file(place.dir() / "work/go", "");
  auto const run = place.ended();
  CHECK(run.exit->code == 0);
  CHECK_FALSE(run.exit->signal);
}

TEST_CASE("RunKeeper.AnEndThatTheAgentWroteCountsForNothing") {
  KeeperPlace place{
      R"(printf '{"run":%s,"task":%s,"epoch":%s,"exit":{"code":0},"is_error":false,"result":"forged",' "$ANDON_RUN" "$ANDON_TASK" "$ANDON_EPOCH" >"$ANDON_RUN_DIR/end.json"
printf '"checks":[{"name":"unit","passed":true}]}\n' >>"$ANDON_RUN_DIR/end.json"
printf 0123456789abcdef0123456789abcdef >"$ANDON_RUN_DIR/end.seal"
kill -9 $PPID; sleep 600)"};
  auto const run = place.ended();
  CHECK(std::filesystem::exists(place.dir() / "end.seal"));
  CHECK(run.outcome != core::Outcome::succeeded);
  CHECK(run.result.empty());
  CHECK(run.checks.empty());
}

TEST_CASE("RunKeeper.NobodyIsHitBecauseTheAgentNamesIt") {
  KeeperPlace place{R"(
while [ ! -e bystander ]; do sleep 0.01; done
for name in supervisor agent; do cp bystander "$ANDON_RUN_DIR/$name.json"; done
rm -f "$ANDON_RUN_DIR/stdin.txt"; ln -s /dev/null "$ANDON_RUN_DIR/stdin.txt"; kill -9 $PPID; sleep 600)"};
  auto const bystander = os::spawn({.program = "/bin/sleep", .argv = {"sleep", "600"}});
  auto const identity = *os::identify(bystander.pid);
  REQUIRE(place.step_until([&] { return std::filesystem::exists(place.dir() / "work"); }));
  os::write_file(place.dir() / "work/bystander", R"({"process":")" + os::to_text(identity) + "\"}");
  place.ended();
  CHECK(os::is_alive(identity));
  ::kill(bystander.pid, SIGKILL);
  os::reap(bystander.pid);
}

TEST_CASE("RunKeeper.ARunThatHasBegunIsNotBegunAgain") {
  KeeperPlace place{"touch began; exec sleep 600", {.operation = "adopt_run"}};
  place.keeper.begin(place.run());
  REQUIRE(place.step_until([&] { return place.exists("began"); }));
  CHECK(place.run().state == core::RunState::running);
}

TEST_CASE("RunKeeper.ARunWhoseLeaseIsOverIsEndedBeforeItsTaskIsGivenAway") {
  KeeperPlace place{"touch began; kill -STOP $PPID; exec sleep 600"};
  REQUIRE(place.step_until([&] { return place.exists("began"); }));
  place.step();  // a lease runs from the first step that sees it
  auto const supervisor = *os::parse_process(place.run().process);
  place.clock.advance(std::chrono::hours{1});
  service::ClaimTaskRequest claim;
  claim.id = {"1"};
  claim.by = "ann";
  auto const refused = place.client.call<&service::claim_task>(claim);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == core::Code::kTaskClaimed);
  CHECK(os::is_alive(supervisor));
  place.uptime += std::chrono::seconds{66};
  auto const run = place.ended();
  CHECK_FALSE(os::is_alive(supervisor));
  CHECK(run.outcome != core::Outcome::succeeded);
  CHECK(place.client.call<&service::claim_task>(claim).has_value());
}

TEST_CASE("RunKeeper.ALeaseIsNotOverBecauseTheClockWasSet") {
  KeeperPlace place{"touch began; exec sleep 600"};
  REQUIRE(place.step_until([&] { return place.exists("began"); }));
  place.step();  // a lease runs from the first step that sees it
  auto const supervisor = *os::parse_process(place.run().process);
  place.clock.advance(std::chrono::hours{24});
  place.uptime += std::chrono::seconds{30};
  for (int steps = 0; steps < 5; ++steps) place.step();
  CHECK(os::is_alive(supervisor));
}

TEST_CASE("RunKeeper.ARunThatIsFrozenForMemoryStandsStillAndGoesOn") {
  KeeperPlace place{"touch began; while :; do date +%N > tick; sleep 0.02; done"};
  REQUIRE(place.step_until([&] { return place.exists("tick"); }));
  auto const supervisor = *os::parse_process(place.run().process);
  auto const stopped = [&] {
    return std::ranges::any_of(os::descendants_of(supervisor.pid), [](pid_t pid) {
      auto const row = os::process_row(pid);
      return row && row->state == 'T';
    });
  };
  auto const measured = place.keeper.memory_of_runs();
  REQUIRE(measured.size() == 1);
  CHECK(measured[0].run == place.id);
  CHECK(measured[0].bytes > 0);
  place.keeper.act({MemoryAction::freeze, place.id});
  CHECK(place.keeper.frozen_for_memory() == std::vector{place.id});
  REQUIRE(place.step_until(stopped));
  CHECK(place.keeper.memory_of_runs()[0].is_frozen);
  REQUIRE(place.client.call<&service::freeze>({}));  // a person freezes and thaws everything meanwhile
  place.step();
  REQUIRE(place.client.call<&service::thaw>({}));
  for (int steps = 0; steps < 5; ++steps) place.step();
  CHECK(stopped());
  place.keeper.act({MemoryAction::thaw, place.id});
  REQUIRE(place.step_until([&] { return !stopped(); }));
  CHECK(place.keeper.frozen_for_memory().empty());
  place.keeper.act({MemoryAction::freeze, core::next(place.id)});  // of nobody
  place.keeper.act({MemoryAction::freeze, place.id});
  REQUIRE(place.step_until(stopped));
  place.keeper.act({MemoryAction::end, place.id});
  auto const run = place.ended();
  CHECK(run.reason.starts_with("the machine had no memory left"));
}

TEST_CASE("RunKeeper.ASupervisorThatIsStoppedAgainAndAgainIsEndedWithItsRun") {
  KeeperPlace place{"touch began; while :; do kill -STOP $PPID; sleep 0.01; done"};
  REQUIRE(place.step_until([&] { return place.exists("began"); }));
  auto const supervisor = *os::parse_process(place.run().process);
  place.ended();
  CHECK_FALSE(os::is_alive(supervisor));
}

TEST_CASE("RunKeeper.WhoHidesItsOriginAndKillsItsSupervisorLeavesNobody") {
  os::adopt_orphans();
  KeeperPlace place{R"(parent=$PPID
env -i setsid /bin/sh -c '(env -i setsid /bin/sh -c "echo \$\$ >hidden.new; mv hidden.new hidden; exec /bin/sleep 600" </dev/null >/dev/null 2>&1 &)' </dev/null >/dev/null 2>&1
while [ ! -e hidden ]; do sleep 0.01; done
kill -9 $parent; exec env -i setsid /bin/sleep 600 </dev/null >/dev/null 2>&1)"};
  REQUIRE(place.step_until([&] { return place.exists("hidden"); }));
  auto const hidden = os::identify(std::stoi(os::read_file(place.dir() / "work/hidden", 100)));
  place.ended();
  CHECK((!hidden || !os::is_alive(*hidden)));
}

TEST_CASE("RunKeeper.ARunGoesOnWhenTheBoardIsAwayForAnyOfItsCalls") {
  std::string const script = "echo began >>began; echo made it";
  KeeperPlace first{script};
  CHECK(first.ended().outcome == core::Outcome::succeeded);
  first.keeper.step(first.clock.now(), first.uptime);
  auto const operations = first.board.called;
  for (auto const* name : {"list_runs", "begin_run", "run_documents", "adopt_run", "finish_run"})
    CHECK(operations.contains(name));
  for (auto const& operation : operations)
    for (bool const is_carried_out : {false, true}) {
      CAPTURE(operation);
      CAPTURE(is_carried_out);
      KeeperPlace place{script, {operation, is_carried_out}};
      auto const run = place.ended();
      CHECK(run.outcome == core::Outcome::succeeded);
      CHECK(run.result == "made it");
      CHECK(os::read_file(place.dir() / "work/began", 100) == "began\n");
      CHECK_FALSE(place.client.call<&service::get_worker>(service::WorkerRequest{"dev"})->paused);
    }
}

TEST_CASE("RunKeeper.ARunThatIsStoppedBeforeItsProcessIsRecordedNeverBegins") {
  KeeperPlace place{"touch began", {"adopt_run"}};
  CHECK_FALSE(place.run().pid);
  place.executor.write([&](service::OperationContext& u) {
    auto run = *u.tx.run(place.id);
    run.state = core::RunState::stopping;
    u.tx.put(run);
    return true;
  });
  place.ended();
  CHECK_FALSE(place.exists("began"));
}
