#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

core::WorkerStatus light(TestApp& app) { return app.call<&service::get_worker>({.name = "ada"}).state; }

}  // namespace

TEST_CASE("Lights.TellHowLongARunHasBeenSilent") {
  TestApp app;
  app.add_worker("ada", {.takes_unassigned = true});
  app.call<&service::edit_board>({{.stale_after = 35min, .silent_after = 5min}, "classic"});
  app.create("One", {.status = "todo"});
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
  app.add_worker("ada", {.takes_unassigned = true});
  app.call<&service::edit_board>({{.stale_after = 0s, .silent_after = 0s}, "classic"});
  app.create("One", {.status = "todo"});
  app.start("ada");
  CHECK(light(app) == core::WorkerStatus::working);
  app.clock.advance(24h);
  CHECK(light(app) == core::WorkerStatus::working);
}
