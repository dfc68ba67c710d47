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

void create_board(api::LocalExecutor& executor) {
  executor.write(
      [](service::OperationContext& ctx) {
        service::CreateBoardRequest demo;
        demo.name = "demo";
        return service::create_board(ctx, demo).has_value();
      },
      ann());
}

/// Starts a pick that waits in the store for a task.
void start_waiting_pick(api::LocalExecutor& executor, std::optional<api::Answer>& answer) {
  service::PickRequest request;
  request.by = "ann";
  auto call = api::call_of<&service::pick_task>(std::move(request), ann());
  call.patience = 1h;
  executor.start(std::move(call), [&answer](api::Answer given) { answer = std::move(given); });
  executor.write([](service::OperationContext&) { return false; });  // the pick ran before this unit
}

}  // namespace

TEST_CASE("LocalExecutor.AUnitThatWaitsInTheStoreMayBeAnsweredAfterTheExecutorIsGone") {
  test::FakeClock clock;
  auto const store = store::open_store("sqlite::memory:");
  std::optional<api::Answer> answer;
  auto executor = std::make_unique<api::LocalExecutor>(*store, clock, 2);
  create_board(*executor);
  start_waiting_pick(*executor, answer);
  REQUIRE_FALSE(answer);
  executor.reset();
  store->close();
  REQUIRE(answer);
  CHECK_FALSE(answer->has_value());
}

TEST_CASE("LocalExecutor.AUnitThatWaitsInTheStoreMayRunAfterTheExecutorIsGone") {
  test::FakeClock clock;
  auto const store = store::open_store("sqlite::memory:");
  std::optional<api::Answer> answer;
  auto first = std::make_unique<api::LocalExecutor>(*store, clock, 2);
  create_board(*first);
  start_waiting_pick(*first, answer);
  first.reset();
  api::LocalExecutor second{*store, clock};
  second.write(
      [](service::OperationContext& ctx) {
        service::CreateTaskRequest task;
        task.title = "One";
        task.status = "todo";
        return service::create_task(ctx, task).has_value();
      },
      ann());
  second.write([](service::OperationContext&) { return false; });  // the pick ran before this unit
  REQUIRE(answer);
  CHECK(answer->has_value());
  store->close();
}
