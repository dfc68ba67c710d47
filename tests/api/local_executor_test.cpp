#include "api/local_executor.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"

using namespace andon;
using namespace std::chrono_literals;

namespace {

service::Caller ann() {
  return {{core::ActorKind::user, "ann"}, service::Role::admin, core::Source::api, {}};
}

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
    executor->start(std::move(call), [this](core::Result<api::Answer> given) { answer = std::move(given); });
    executor->write([](service::OperationContext&) { return false; });  // the pick ran before this unit
    REQUIRE_FALSE(answer);
  }

  test::FakeClock clock;
  std::optional<core::Result<api::Answer>> answer;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  std::unique_ptr<api::LocalExecutor> executor = std::make_unique<api::LocalExecutor>(*store, clock, 2);
};

bool can(core::Task const& task, std::string_view verb) {
  return std::ranges::find(task.can, verb) != task.can.end();
}

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

TEST_CASE("LocalExecutor.TheAnswerOfAWriteTellsTheVerbsAtItsEnd") {
  test::TestApp app;
  auto const told = [&](api::Call call) {
    call.tells_verbs = true;
    return app.executor.run(std::move(call)).value().as<core::Task>().value();
  };
  CHECK(can(told(api::call_of<&service::create_task>({.title = "One", .status = "todo"}, ann())), "claim"));
  auto const claimed = told(api::call_of<&service::claim_task>({.id = 1, .by = "bob"}, ann()));
  CHECK_FALSE(can(claimed, "claim"));
  CHECK(claimed.cannot.at("claim").contains("bob"));
}

TEST_CASE("LocalExecutor.ARetriedWriteIsAnsweredFromItsRecordWithTheVerbsOfNow") {
  test::TestApp app;
  auto const ask = [&](bool tells_verbs) {
    auto call = api::call_of<&service::create_task>({.title = ",\"rev\":99", .status = "todo"}, ann());
    call.idempotency_key = "k";
    call.tells_verbs = tells_verbs;
    return app.executor.run(std::move(call)).value();
  };
  auto const first = ask(false).text();
  auto const told = ask(true).text();
  CHECK(ask(true).text() == told);
  app.call<&service::claim_task>({.id = 1, .by = "bob"});
  CHECK(ask(false).text() == first);
  CHECK(ask(false).number("rev") == 1);
  auto const task = ask(true).as<core::Task>().value();
  CHECK(task.rev == 1);
  CHECK(task.cannot.at("claim").contains("bob"));
}

TEST_CASE("Answer.KeepsTheResponseAndTheTextOfAServerAsTheyAre") {
  auto const& row = api::row_of<&service::get_task>();
  std::string const json = R"({"id":7,"title":",\"rev\":99","rev":3,"of_a_later_version":true})";
  api::Answer const from_server{.operation = &row, .json = json};
  CHECK(from_server.text() == json);
  CHECK(from_server.number("rev") == 3);
  CHECK(from_server.number("id") == 7);
  CHECK_FALSE(from_server.number("seq"));
  CHECK_FALSE(from_server.number("of_a_later_version"));
  auto task = api::Answer{.operation = &row, .json = json}.as<core::Task>().value();
  CHECK(task.rev == 3);
  task.state.supervised = true;
  api::Answer here{.operation = &row, .value = api::object(task)};
  CHECK(here.number("rev") == 3);
  CHECK(here.text() == reflect::to_json(task));
  CHECK(std::move(here).as<core::Task>()->state.supervised);
  CHECK_THROWS_AS((void)api::Answer({.operation = &row, .json = json}).as<core::Board>(), std::logic_error);
}
