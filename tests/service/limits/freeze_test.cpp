#include "service/limits/freeze.hpp"

#include <doctest/doctest.h>

#include "service/runs/dispatch.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Freeze.HoldsWhatIsNewAndShowsItsWorkersAsPaused") {
  TestApp app;
  app.add_worker("ada", {.takes_unassigned = true});
  app.create("One", {.status = "todo"});
  app.create("Two", {.status = "todo"});
  auto const run = app.start("ada");
  app.call<&service::freeze>({.board = "Classic"});
  auto const ada = app.call<&service::get_worker>({.name = "ada"});
  CHECK(ada.state == core::WorkerStatus::paused);
  app.call<&service::thaw>();
  app.finish(run);
  app.call<&service::freeze>({.worker = "ada"});
  CHECK(app.refusal<&service::dispatch_next>({.worker = "ada"}) == "NOTHING_TO_PICK");
  app.call<&service::thaw>({.worker = "ada"});
  CHECK(app.ask<&service::dispatch_next>({.worker = "ada"}).has_value());
}

TEST_CASE("Freeze.TheTimeOfAFreezeIsNoSilence") {
  TestApp app;
  app.add_worker("ada", {.takes_unassigned = true});
  app.create("One", {.status = "todo"});
  app.start("ada");
  app.call<&service::freeze>();
  app.clock.advance(std::chrono::hours{3});
  app.call<&service::thaw>();
  CHECK(app.call<&service::get_worker>({.name = "ada"}).state == core::WorkerStatus::working);
}

TEST_CASE("Freeze.ThawOfEverythingForgetsEveryFreeze") {
  TestApp app;
  app.add_worker("ada");
  app.call<&service::freeze>({.worker = "ada"});
  app.call<&service::freeze>({.board = "classic"});
  app.call<&service::freeze>();
  auto const frozen = app.call<&service::list_frozen>();
  CHECK(frozen.everything);
  CHECK(frozen.workers == std::vector<std::string>{"ada"});
  CHECK(app.answer<&service::thaw>() == R"({"everything":false,"boards":[],"workers":[]})");
  CHECK(app.refusal<&service::freeze>({.worker = "nobody"}) == "WORKER_NOT_FOUND");
  CHECK(app.refusal<&service::freeze>({.board = "none"}) == "BOARD_NOT_FOUND");
}

TEST_CASE("Freeze.TellsTheBoardWhoStoppedTheLineAndWhen") {
  TestApp app;
  CHECK_FALSE(app.snapshot().dispatch.stopped);
  app.call<&service::freeze>({}, person("eve"));
  auto const stopped = app.snapshot().dispatch.stopped;
  REQUIRE(stopped);
  CHECK(stopped->by == "user:eve");
  CHECK(stopped->since == app.clock.now());
  app.call<&service::thaw>();
  CHECK_FALSE(app.snapshot().dispatch.stopped);
  app.call<&service::freeze>({.board = "classic"});
  CHECK(app.snapshot().dispatch.stopped);
  app.call<&service::thaw>({.board = "classic"});
  CHECK(app.answer<&service::list_frozen>() == R"({"everything":false,"boards":[],"workers":[]})");
}
