#include "service/limits/freeze.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Freeze.HoldsWhatIsNewAndShowsItsWorkersAsPaused") {
  TestApp app;
  app.add_worker("ada", R"("takes_unassigned":true)");
  app.create("One", R"("status":"todo")");
  app.create("Two", R"("status":"todo")");
  auto const run = app.start("ada");
  app.answer("freeze", R"({"board":"Classic"})");
  auto const ada = *reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"ada"})"));
  CHECK(ada.state == core::WorkerStatus::paused);
  app.answer("thaw", "{}");
  app.finish(run);
  app.answer("freeze", R"({"worker":"ada"})");
  CHECK(app.refusal("dispatch_next", R"({"worker":"ada"})") == "NOTHING_TO_PICK");
  app.answer("thaw", R"({"worker":"ada"})");
  CHECK(app.ask("dispatch_next", R"({"worker":"ada"})").has_value());
}

TEST_CASE("Freeze.TheTimeOfAFreezeIsNoSilence") {
  TestApp app;
  app.add_worker("ada", R"("takes_unassigned":true)");
  app.create("One", R"("status":"todo")");
  app.start("ada");
  app.answer("freeze", "{}");
  app.clock.advance(std::chrono::hours{3});
  app.answer("thaw", "{}");
  CHECK(reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"ada"})"))->state ==
        core::WorkerStatus::working);
}

TEST_CASE("Freeze.ThawOfEverythingForgetsEveryFreeze") {
  TestApp app;
  app.add_worker("ada");
  app.answer("freeze", R"({"worker":"ada"})");
  app.answer("freeze", R"({"board":"classic"})");
  app.answer("freeze", "{}");
  auto const frozen = *reflect::read_json<service::Frozen>(app.answer("list_frozen", "{}"));
  CHECK(frozen.everything);
  CHECK(frozen.workers == std::vector<std::string>{"ada"});
  CHECK(app.answer("thaw", "{}") == R"({"everything":false,"boards":[],"workers":[]})");
  CHECK(app.refusal("freeze", R"({"worker":"nobody"})") == "WORKER_NOT_FOUND");
  CHECK(app.refusal("freeze", R"({"board":"none"})") == "BOARD_NOT_FOUND");
}

TEST_CASE("Freeze.TellsTheBoardWhoStoppedTheLineAndWhen") {
  TestApp app;
  CHECK_FALSE(app.snapshot().dispatch.stopped);
  app.answer("freeze", "{}", person("eve"));
  auto const stopped = app.snapshot().dispatch.stopped;
  REQUIRE(stopped);
  CHECK(stopped->by == "user:eve");
  CHECK(stopped->since == app.clock.now());
  app.answer("thaw", "{}");
  CHECK_FALSE(app.snapshot().dispatch.stopped);
  app.answer("freeze", R"({"board":"classic"})");
  CHECK(app.snapshot().dispatch.stopped);
  app.answer("thaw", R"({"board":"classic"})");
  CHECK(app.answer("list_frozen", "{}") == R"({"everything":false,"boards":[],"workers":[]})");
}
