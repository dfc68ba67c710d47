#include "service/insight/why.hpp"

#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;

namespace {

service::Hindrances why(House& house, core::TaskId id) {
  return *reflect::read_json<service::Hindrances>(house.answer("why_not_running", on(id)));
}

std::string codes(House& house, core::TaskId id) {
  std::string out;
  auto const answer = why(house, id);
  for (auto const& hindrance : answer.hindrances) out += (out.empty() ? "" : " ") + hindrance.code;
  return out;
}

}  // namespace

TEST_CASE("Why.NamesTheReasonsOfTheTask") {
  House house;
  house.executor.write([](service::Unit& u) {
    service::set_runner(u, true);
    return true;
  });
  house.add_worker("developer", R"("takes_unassigned":true)");
  house.create("First");
  CHECK(codes(house, 1) == "stage");
  auto const second = house.create("Second", R"("status":"todo","depends_on":[1])");
  CHECK(codes(house, second.id) == "dependency");
  CHECK(why(house, second.id).hindrances.front().text == "it waits for #1");
  auto const third = house.create("Third", R"("status":"todo","claim":"bob")");
  CHECK(codes(house, third.id) == "claimed");
  auto const fourth = house.create("Fourth", R"("status":"todo","role":"poet")");
  CHECK(codes(house, fourth.id) == "worker");
}

TEST_CASE("Why.SaysWhoseTurnItIs") {
  House house;
  house.executor.write([](service::Unit& u) {
    service::set_runner(u, true);
    return true;
  });
  house.add_worker("developer", R"("takes_unassigned":true)");
  auto const first = house.create("First", R"("status":"todo")");
  auto const second = house.create("Second", R"("status":"todo")");
  CHECK(why(house, first.id).hindrances.empty());
  CHECK(why(house, first.id).worker == "developer");
  CHECK(codes(house, second.id) == "turn");
  house.start("developer");
  CHECK(why(house, first.id).running);
  CHECK(codes(house, second.id) == "worker");
}

TEST_CASE("Why.NamesWhatHoldsTheBoardAndItsWorkers") {
  House house;
  house.add_worker("developer", R"("takes_unassigned":true)");
  auto const task = house.create("Task", R"("status":"todo")");
  CHECK(codes(house, task.id) == "runner");
  house.answer("set_dispatch", R"({"paused":true})");
  house.answer("pause_worker", R"({"name":"developer"})");
  CHECK(codes(house, task.id) == "paused runner worker");
}

TEST_CASE("Why.NamesTheLimitOfTheWholeServer") {
  House house;
  house.add_worker("developer", R"("takes_unassigned":true)");
  house.add_worker("tester", R"("takes_unassigned":true)");
  house.create("First", R"("status":"todo")");
  auto const second = house.create("Second", R"("status":"todo")");
  CHECK(house.refusal("limit_dispatch", R"({"slots":-1})") == "INVALID_INPUT");
  house.answer("limit_dispatch", R"({"slots":1})");
  house.start("developer");
  CHECK(house.refusal("dispatch_next", R"({"worker":"tester"})") == "NOTHING_TO_PICK");
  CHECK(codes(house, second.id) == "slots");
  CHECK(why(house, second.id).hindrances.front().text ==
        "this server already has 1 of 1 runs; allow more with: andon dispatch limit");
  house.answer("limit_dispatch", R"({"slots":0})");
  CHECK(house.ask("dispatch_next", R"({"worker":"tester"})").has_value());
}

TEST_CASE("Why.NamesTheLimitInTheWay") {
  House house;
  house.executor.write([](service::Unit& u) {
    service::set_runner(u, true);
    return true;
  });
  house.answer("edit_board",
               R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
      {"name":"in_progress","stage":"active","wip_limit":1},{"name":"done","stage":"done"}]})");
  house.add_worker("developer", R"("takes_unassigned":true)");
  house.create("Held", R"("status":"in_progress")");
  auto const task = house.create("Task", R"("status":"todo")");
  CHECK(codes(house, task.id) == "wip");
}
