#include <array>
#include <atomic>
#include <deque>
#include <future>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/pick.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/writer/driver_store.hpp"
#include "store/memory_driver/hooked_driver.hpp"
#include "store/memory_driver/memory_driver.hpp"
#include "support/fake_clock.hpp"

using namespace andon;
using test::SessionCall;

namespace {

service::Caller someone() {
  return {{core::ActorKind::user, "someone"}, service::Role::admin, core::Source::api, {}};
}

/// The calls of the session that writes since `reset`.
class Calls {
 public:
  void note(store::engine::Rights rights, SessionCall call) {
    if (rights == store::engine::Rights::write) ++counts_[static_cast<std::size_t>(call)];
  }
  void reset() {
    for (auto& count : counts_) count = 0;
  }
  int of(SessionCall call) const { return counts_[static_cast<std::size_t>(call)]; }
  /// The calls that a database far away would answer in a round trip each.
  int statements() const {
    return of(SessionCall::read) + of(SessionCall::candidates) + of(SessionCall::write) +
           of(SessionCall::mark) + of(SessionCall::undo);
  }

 private:
  std::array<std::atomic<int>, 16> counts_{};
};

/// Workers of one board with much to do, each with a task in hand.
struct BusyTeam {
  static constexpr int kWorkers = 32;

  template <auto F>
  auto run(typename api::detail::Signature<decltype(F)>::Request request) {
    auto answer = executor.run(api::call_of<F>(std::move(request), someone()));
    REQUIRE_MESSAGE(answer, (answer ? "" : answer.error().message));
    auto response = std::move(*answer).template as<typename api::detail::Signature<decltype(F)>::Response>();
    REQUIRE(response);
    return *std::move(response);
  }
  BusyTeam() {
    service::CreateBoardRequest board;
    board.name = "demo";
    run<&service::create_board>(std::move(board));
    for (int i = 0; i < 4 * kWorkers; ++i) {
      service::CreateTaskRequest task;
      task.title = "task";
      task.board = "demo";
      task.status = "todo";
      run<&service::create_task>(std::move(task));
    }
    for (int i = 0; i < kWorkers; ++i) {
      service::PutWorkerRequest worker;
      worker.name = name_of(i);
      worker.takes_unassigned = true;
      run<&service::add_worker>(std::move(worker));
    }
    for (int i = 0; i < kWorkers; ++i) held.push_back(run<&service::pick_task>(pick_of(i)));
  }

  static std::string name_of(int worker) { return "worker-" + std::to_string(worker); }
  static service::PickRequest pick_of(int worker) {
    service::PickRequest pick;
    pick.worker = name_of(worker);
    return pick;
  }
  /// Keeps the writer busy until the future is ready, so that what comes meanwhile is in the next batches.
  void hold_writer(std::shared_future<void> until) {
    std::promise<void> begun;
    store->submit(
        [&begun, until = std::move(until)](store::Tx&) {
          begun.set_value();
          until.wait();
          return store::Outcome::rollback;
        },
        [](std::exception_ptr const&) {});
    begun.get_future().wait();
  }
  /// Lets every worker complete its task and pick the next one.
  std::vector<service::FinishedTask> complete_and_pick_all() {
    std::promise<void> all_sent;
    hold_writer(all_sent.get_future().share());
    std::deque<std::promise<core::Result<api::Answer>>> answers;
    for (int i = 0; i < kWorkers; ++i) {
      service::CompleteRequest request;
      request.id = {std::to_string(held[static_cast<std::size_t>(i)].id)};
      request.claim = name_of(i);
      request.pick = pick_of(i);
      auto& answer = answers.emplace_back();
      executor.start(api::call_of<&service::complete_task>(std::move(request), someone()),
                     [&answer](core::Result<api::Answer> given) { answer.set_value(std::move(given)); });
    }
    all_sent.set_value();
    std::vector<service::FinishedTask> out;
    for (auto& promise : answers) {
      auto answer = promise.get_future().get();
      REQUIRE(answer);
      out.push_back(*std::move(*answer).as<service::FinishedTask>());
    }
    return out;
  }

  Calls calls;
  std::unique_ptr<store::Store> store = std::make_unique<store::engine::DriverStore>(
      std::make_shared<test::HookedDriver>(
          std::make_shared<test::MemoryDriver>(),
          test::DriverHooks{[this](auto rights, auto call) { calls.note(rights, call); }, {}}),
      nullptr, [](auto) {}, store::engine::ReadingSessions::many);
  test::FakeClock clock;
  api::LocalExecutor executor{*store, clock, 1};
  std::vector<core::Task> held;
};

}  // namespace

TEST_CASE("Batches.OfUnitsThatCompleteAndPickTakeFewStatements") {
  BusyTeam team;
  team.calls.reset();
  auto const finished = team.complete_and_pick_all();
  for (auto const& one : finished) CHECK(one.picked);
  CHECK(team.calls.statements() <= 40);
}

TEST_CASE("Picks.ReadFewPagesOfAQueue") {
  BusyTeam team;
  service::CompleteRequest request;
  request.id = {std::to_string(team.held.front().id)};
  request.claim = BusyTeam::name_of(0);
  team.run<&service::complete_task>(std::move(request));
  team.calls.reset();
  team.run<&service::pick_task>(BusyTeam::pick_of(0));
  CHECK(team.calls.of(SessionCall::candidates) <= 3);
}
