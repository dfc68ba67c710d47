#include "runner/dispatch/dispatcher.hpp"

#include <future>

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "os/files/file.hpp"
#include "runner/absent_board.hpp"
#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/create.hpp"
#include "service/workers/workers.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

/// A worker, a clock that stands still and the directory of the administrator's profiles.
struct Place {
  explicit Place(std::string const& agent) {
    service::PutWorkerRequest worker;
    worker.name = "coder";
    worker.agent = agent;
    REQUIRE(client.call<&service::add_worker>(worker));
  }
  core::Worker after_a_step() {
    clock.advance(std::chrono::seconds{2});
    dispatcher.step(clock.now(), 0, [](core::Run const&) {});
    return *client.call<&service::get_worker>(service::WorkerRequest{"coder"});
  }

  test::Scratch scratch;
  test::FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  runner::OperationClient client{executor};
  runner::Dispatcher dispatcher{client, scratch.path()};
};

}  // namespace

TEST_CASE("Dispatcher.AWorkerWithoutAProfileSaysSoAtOnceAndRecoversByItself") {
  Place place{"mine"};
  auto worker = place.after_a_step();
  CHECK(worker.state == core::WorkerStatus::paused);
  CHECK(worker.paused_because ==
        "there is no usable agent profile \"mine\"; there are: aider, amp, claude, codex, copilot, cursor, "
        "gemini, generic, opencode");
  os::write_file(place.scratch / "mine.json", R"({"schema":1,"id":"mine","argv":["{modle}"]})");
  CHECK(place.after_a_step().state == core::WorkerStatus::paused);
  os::write_file(place.scratch / "mine.json", R"({"schema":1,"id":"mine","argv":["true"]})");
  worker = place.after_a_step();
  CHECK(worker.state == core::WorkerStatus::idle);
  CHECK(worker.paused_because.empty());
}

TEST_CASE("Dispatcher.AWorkerIsNotPausedWhileTheBoardDoesNotSayWhatRunnersHave") {
  Place place{"mine"};
  test::AbsentBoard board{place.executor, {"list_runners"}};
  runner::OperationClient client{board};
  runner::Dispatcher dispatcher{client, place.scratch.path()};
  auto const step = [&] {
    place.clock.advance(std::chrono::seconds{2});
    dispatcher.step(place.clock.now(), 0, [](core::Run const&) {});
    return place.client.call<&service::get_worker>(service::WorkerRequest{"coder"})->state;
  };
  CHECK(step() == core::WorkerStatus::idle);
  CHECK(step() == core::WorkerStatus::paused);
}

TEST_CASE("Dispatcher.AWorkerThatAPersonPausedStaysPaused") {
  Place place{"claude"};
  REQUIRE(place.client.call<&service::pause_worker>(service::PauseWorkerRequest{"coder", "lunch"}));
  auto const worker = place.after_a_step();
  CHECK(worker.state == core::WorkerStatus::paused);
  CHECK(worker.paused_because == "lunch");
}

TEST_CASE("Dispatcher.ARunIsStartedBeforeTheNextWorkerPicks") {
  Place place{"claude"};
  place.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  service::CreateBoardRequest board;
  board.name = "shop";
  REQUIRE(place.client.call<&service::create_board>(board));
  service::PutWorkerRequest second;
  second.name = "tester";
  second.agent = "claude";
  REQUIRE(place.client.call<&service::add_worker>(second));
  for (auto const* assignee : {"coder", "tester"}) {
    service::CreateTaskRequest task;
    task.board = "shop";
    task.title = "Work";
    task.status = "todo";
    task.assignee = assignee;
    REQUIRE(place.client.call<&service::create_task>(task));
  }
  std::vector<std::size_t> live;
  auto const opened = place.dispatcher.step(place.clock.now(), 1, [&](core::Run const&) {
    live.push_back(place.client.call<&service::list_runs>(service::ListRunsRequest{{}, true})->items.size());
  });
  CHECK(opened == 2);
  CHECK(live == std::vector<std::size_t>{1, 2});
}

TEST_CASE("Dispatcher.AWorkerWithoutWorkWaitsAndIsAskedNoMoreUntilItIsWoken") {
  Place place{"claude"};
  place.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  service::CreateBoardRequest board;
  board.name = "shop";
  REQUIRE(place.client.call<&service::create_board>(board));
  std::vector<std::string> waiting;
  std::function<void()> wake;
  runner::Dispatcher dispatcher{place.client, place.scratch.path(),
                                [&](std::string const& worker, std::function<void()> woken) {
                                  waiting.push_back(worker);
                                  wake = std::move(woken);
                                }};
  core::EventSeq seq = 0;
  auto const opened = [&] {
    place.clock.advance(std::chrono::seconds{2});
    return dispatcher.step(place.clock.now(), seq = core::next(seq), [](core::Run const&) {});
  };
  CHECK(opened() == 0);
  CHECK(waiting == std::vector<std::string>{"coder"});
  service::CreateTaskRequest task;
  task.board = "shop";
  task.title = "Work";
  task.status = "todo";
  task.assignee = "coder";
  REQUIRE(place.client.call<&service::create_task>(task));
  CHECK(opened() == 0);
  wake();
  CHECK(opened() == 1);
  CHECK(waiting.size() == 1);
}

TEST_CASE("Dispatcher.NoEventConcernsItWhileAllWorkersWait") {
  Place place{"claude"};
  std::function<void()> wake;
  int asked = 0;
  runner::Dispatcher dispatcher{place.client, place.scratch.path(),
                                [&](std::string const&, std::function<void()> woken) {
                                  ++asked;
                                  wake = std::move(woken);
                                }};
  auto const now = place.clock.now();
  auto const step = [&](core::EventSeq seq) { dispatcher.step(now, seq, [](core::Run const&) {}); };
  step(1);
  step(2);
  CHECK(asked == 1);
  wake();
  step(3);
  CHECK(asked == 2);
}

TEST_CASE("Dispatcher.AWorkerThatWaitsWithTheStoreGetsItsRunWhenATaskComes") {
  Place place{"claude"};
  place.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  service::CreateBoardRequest board;
  board.name = "shop";
  REQUIRE(place.client.call<&service::create_board>(board));
  std::promise<core::Run> opened;
  auto call = api::call_of<&service::dispatch_next>(service::DispatchRequest{"coder"}, place.client.caller());
  call.patience = std::chrono::minutes{1};
  place.executor.start(std::move(call), [&](core::Result<api::Answer> answer) {
    REQUIRE(answer);
    opened.set_value(std::move(*answer).as<core::Run>().value());
  });
  service::CreateTaskRequest task;
  task.board = "shop";
  task.title = "Work";
  task.status = "todo";
  task.assignee = "coder";
  auto const created = place.client.call<&service::create_task>(task);
  REQUIRE(created);
  CHECK(opened.get_future().get().task == created->id);
}
