#include "api/local_executor.hpp"

#include <memory>
#include <optional>

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/pick.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"

using namespace andon;
using namespace std::chrono_literals;

namespace {

service::Caller ann() { return {{core::ActorKind::user, "ann"}, service::Role::admin, "api", {}}; }

/// A board without tasks, and a pick that waits in the store for one. Its executor may go before the store.
struct WaitingPick {
  WaitingPick() {
    executor->write(
        [](service::OperationContext& ctx) {
          service::CreateBoardRequest demo;
          demo.name = "demo";
          return service::create_board(ctx, demo).has_value();
        },
        ann());
    service::PickRequest request;
    request.by = "ann";
    auto call = api::call_of<&service::pick_task>(std::move(request), ann());
    call.patience = 1h;
    executor->start(std::move(call), [this](api::Answer given) { answer = std::move(given); });
    executor->write([](service::OperationContext&) { return false; });  // the pick ran before this unit
    REQUIRE_FALSE(answer);
  }

  test::FakeClock clock;
  std::optional<api::Answer> answer;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  std::unique_ptr<api::LocalExecutor> executor = std::make_unique<api::LocalExecutor>(*store, clock, 2);
};

}  // namespace

TEST_CASE("LocalExecutor.AUnitThatWaitsInTheStoreMayBeAnsweredAfterTheExecutorIsGone") {
  WaitingPick pick;
  pick.executor.reset();
  pick.store->close();
  REQUIRE(pick.answer);
  CHECK_FALSE(pick.answer->has_value());
}

TEST_CASE("LocalExecutor.AUnitThatWaitsInTheStoreMayRunAfterTheExecutorIsGone") {
  WaitingPick pick;
  pick.executor.reset();
  api::LocalExecutor second{*pick.store, pick.clock};
  second.write(
      [](service::OperationContext& ctx) {
        service::CreateTaskRequest task;
        task.title = "One";
        task.status = "todo";
        return service::create_task(ctx, task).has_value();
      },
      ann());
  second.write([](service::OperationContext&) { return false; });  // the pick ran before this unit
  CHECK((pick.answer && pick.answer->has_value()));
  pick.store->close();
}
