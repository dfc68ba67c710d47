#include "runner/dispatch/scheduler.hpp"

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "core/model/board.hpp"
#include "service/automations/firing.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/tasks.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"

using namespace andon;
using namespace std::chrono_literals;

namespace {

/// A board, a clock that stands still and the loop body of a server.
struct SchedulerPlace {
  SchedulerPlace() {
    service::CreateBoardRequest board;
    board.name = "shop";
    REQUIRE(client.call<&service::create_board>(board));
  }
  void add(std::string name, std::string cron, std::optional<core::Duration> after = {}) {
    service::AddAutomationRequest request;
    request.name = std::move(name);
    request.cron = std::move(cron);
    request.after = after;
    request.template_.title = "Look around";
    REQUIRE(client.call<&service::add_automation>(request));
  }
  std::int64_t fired(std::string name) {
    return client.call<&service::get_automation>(service::AutomationRequest{{std::move(name)}})->fired;
  }
  core::Duration step() { return scheduler.step(clock.now()) - clock.now(); }

  test::FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  runner::OperationClient client{executor, "automations"};
  runner::Scheduler scheduler{client};
};

}  // namespace

TEST_CASE("Scheduler.RestsUntilTheNextTimeButLooksAtTheClockNowAndThen") {
  SchedulerPlace place;
  CHECK(place.step() == 30s);
  place.add("minute", "* * * * *");
  CHECK(place.step() == 30s);
  place.clock.advance(45s);
  CHECK(place.step() == 15s);
  CHECK(place.fired("minute") == 0);
}

TEST_CASE("Scheduler.FiresWhatIsDueOnce") {
  SchedulerPlace place;
  place.add("minute", "* * * * *");
  place.add("dry", "", 10s);
  place.clock.advance(3min);
  CHECK(place.step() > 0s);
  CHECK(place.fired("minute") + place.fired("dry") == 1);
  place.step();
  CHECK(place.fired("minute") + place.fired("dry") == 1);
}

TEST_CASE("Scheduler.OfTheNextServerCatchesUpOnce") {
  SchedulerPlace place;
  place.add("hourly", "@hourly");
  place.clock.advance(72h);
  runner::Scheduler next_server{place.client};
  next_server.step(place.clock.now());
  next_server.step(place.clock.now());
  CHECK(place.fired("hourly") == 1);
}
