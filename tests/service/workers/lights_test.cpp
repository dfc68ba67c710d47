#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

core::WorkerStatus light(TestApp& app) {
  return reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"ada"})"))->state;
}

}  // namespace

TEST_CASE("Lights.TellHowLongARunHasBeenSilent") {
  TestApp app;
  app.add_worker("ada", R"("takes_unassigned":true)");
  app.answer("edit_board", R"({"board":"classic","silent_after":"5m","stale_after":"35m"})");
  app.create("One", R"("status":"todo")");
  CHECK(light(app) == core::WorkerStatus::idle);
  app.start("ada");
  CHECK(light(app) == core::WorkerStatus::working);
  app.clock.advance(5min);
  CHECK(light(app) == core::WorkerStatus::silent);
  app.clock.advance(30min);
  CHECK(light(app) == core::WorkerStatus::stale);
}

TEST_CASE("Lights.OfABoardWithoutLimitsStayAsTheyAre") {
  TestApp app;
  app.add_worker("ada", R"("takes_unassigned":true)");
  app.answer("edit_board", R"({"board":"classic","silent_after":"0s","stale_after":"0s"})");
  app.create("One", R"("status":"todo")");
  app.start("ada");
  CHECK(light(app) == core::WorkerStatus::working);
  app.clock.advance(24h);
  CHECK(light(app) == core::WorkerStatus::working);
}
