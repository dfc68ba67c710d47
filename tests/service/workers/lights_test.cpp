#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::House;

namespace {

core::Light light(House& house) {
  return reflect::read_json<core::Worker>(house.answer("get_worker", R"({"name":"ada"})"))->state;
}

}  // namespace

TEST_CASE("Lights.TellHowLongARunHasBeenSilent") {
  House house;
  house.add_worker("ada", R"("takes_unassigned":true)");
  house.answer("edit_board", R"({"board":"classic","silent_after":"5m","stale_after":"35m"})");
  house.create("One", R"("status":"todo")");
  CHECK(light(house) == core::Light::idle);
  house.start("ada");
  CHECK(light(house) == core::Light::working);
  house.clock.advance(5min);
  CHECK(light(house) == core::Light::silent);
  house.clock.advance(30min);
  CHECK(light(house) == core::Light::stale);
}

TEST_CASE("Lights.OfABoardWithoutLimitsStayAsTheyAre") {
  House house;
  house.add_worker("ada", R"("takes_unassigned":true)");
  house.answer("edit_board", R"({"board":"classic","silent_after":"0s","stale_after":"0s"})");
  house.create("One", R"("status":"todo")");
  house.start("ada");
  CHECK(light(house) == core::Light::working);
  house.clock.advance(24h);
  CHECK(light(house) == core::Light::working);
}
