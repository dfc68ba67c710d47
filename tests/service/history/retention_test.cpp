#include "service/history/retention.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::House;
using test::on;
using test::person;

namespace {

service::Trimmed trim(House& house, std::string_view request = "{}") {
  auto out = reflect::read_json<service::Trimmed>(house.answer("trim_store", request));
  REQUIRE(out);
  return *std::move(out);
}

service::Trimmed trim_all(House& house) {
  auto out = trim(house);
  while (out.more) {
    auto const next = trim(house);
    out.events += next.events;
    out.more = next.more;
    out.feed_begin = next.feed_begin;
  }
  return out;
}

service::Events page(House& house, std::string const& request) {
  auto out = reflect::read_json<service::Events>(house.answer("list_events", request));
  REQUIRE(out);
  return *std::move(out);
}

}  // namespace

TEST_CASE("Retention.TheFeedBeginsAWeekAgoAndTheHistoryOfATaskStays") {
  House house;
  auto const task = house.create("Old");
  house.clock.advance(8 * 24h);
  house.create("New");
  auto const trimmed = trim_all(house);
  CHECK(trimmed.events == 0);
  CHECK(trimmed.feed_begin >= 2);
  auto const history = page(house, R"({"since":"0"})");
  CHECK(history.reset.empty());
  CHECK(history.items.front().seq == 1);
  auto const of_task = page(house, R"({"since":"0","task":")" + std::to_string(task.id) + "\"}");
  CHECK(of_task.items.size() == 1);
}

TEST_CASE("Retention.TheFeedHoldsSoManyEventsAtMost") {
  House house;
  house.answer("change_retention", R"({"feed_events":1000})");
  for (int i = 0; i < 1'200; ++i) house.create("Task");
  auto const trimmed = trim_all(house);
  CHECK(house.last_seq() - trimmed.feed_begin == 1'000);
}

TEST_CASE("Retention.EventsGoWhenTheHistoryIsOverAndNotesStay") {
  House house;
  auto const task = house.create("Old");
  house.task("add_note", on(task.id, R"("text":"Mind the gap")"));
  house.clock.advance(401 * 24h);
  house.create("New");
  auto const last = house.last_seq();
  CHECK(trim_all(house).events >= 2);
  CHECK(house.last_seq() == last);
  std::vector<std::string> const left{"task.noted", "task.created"};
  CHECK(house.kinds(0) == left);
  auto const first = page(house, R"({"since":"0"})");
  CHECK(first.reset == "trimmed");
  CHECK(first.items.size() == 2);
  CHECK(page(house, R"({"since":")" + std::to_string(last) + "\"}").reset.empty());
  CHECK(house.answer("search_tasks", R"({"q":"gap"})").find("Mind the") != std::string::npos);
}

TEST_CASE("Retention.TheLastEventStaysSoThatNoNumberIsGivenTwice") {
  House house;
  house.create("Only");
  auto const last = house.last_seq();
  house.clock.advance(500 * 24h);
  trim_all(house);
  CHECK(house.last_seq() == last);
}

TEST_CASE("Retention.ASliceIsBounded") {
  House house;
  for (int i = 0; i < 1'600; ++i) house.create("Task");
  house.clock.advance(500 * 24h);
  auto const slice = trim(house);
  CHECK(slice.more);
  CHECK(slice.events <= 500);
}

TEST_CASE("Retention.ARehearsalShowsWhatGoesAndRemovesNothing") {
  House house;
  house.create("Old");
  house.clock.advance(500 * 24h);
  house.create("New");
  auto const before = house.digest();
  auto const shown = trim(house, R"({"dry_run":true,"show":true})");
  CHECK(shown.events == 2);
  CHECK(shown.items.size() == 2);
  CHECK(house.digest() == before);
  CHECK(trim(house, R"({"until":1})").events == 1);
}

TEST_CASE("Retention.EndedCredentialsAndAnswersGoAfterADay") {
  House house;
  house.add_worker("bot");
  house.create("Task", R"("status":"todo","assignee":"bot")");
  auto const run = house.start("bot");
  house.finish(run);
  auto const tokens = [&] {
    std::size_t n = 0;
    house.executor.read([&](service::Unit& u) { n = u.tx.tokens().size(); });
    return n;
  };
  REQUIRE(tokens() == 1);
  house.clock.advance(23h);
  trim_all(house);
  CHECK(tokens() == 1);
  house.clock.advance(2h);
  trim_all(house);
  CHECK(tokens() == 0);
}

TEST_CASE("Retention.TheLastRunOfATaskStaysAndNoNumberIsGivenAgain") {
  House house;
  house.add_worker("bot");
  house.create("Task", R"("status":"todo","assignee":"bot")");
  auto const first = house.start("bot");
  house.finish(first, R"("stopped_because":"lost")");
  house.clock.advance(1h);
  auto const second = house.start("bot");
  house.finish(second);
  house.clock.advance(401 * 24h);
  trim_all(house);
  house.executor.read([&](service::Unit& u) {
    CHECK_FALSE(u.tx.run(first.id));
    CHECK(u.tx.run(second.id));
  });
}

TEST_CASE("Retention.IsSetWithinBounds") {
  House house;
  CHECK(house.refusal("change_retention", R"({"history":"1d"})") == "INVALID_INPUT");
  house.answer("change_retention", R"({"history":"30d"})");
  CHECK(house.answer("show_retention", "{}").find("720h") != std::string::npos);
}

TEST_CASE("Events.ACursorOfOtherDataIsTold") {
  House house;
  house.create("Task");
  CHECK(page(house, R"({"since":"ffffff.1"})").reset == "epoch");
  CHECK(page(house, R"({"since":"999"})").reset == "future");
  auto const own = house.store->incarnation() + ".1";
  CHECK(page(house, R"({"since":")" + own + "\"}").reset.empty());
}
