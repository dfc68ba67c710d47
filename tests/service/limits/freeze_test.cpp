#include "service/limits/freeze.hpp"

#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Freeze.HoldsWhatIsNewAndShowsItsWorkersAsPaused") {
  House house;
  house.add_worker("ada", R"("takes_unassigned":true)");
  house.create("One", R"("status":"todo")");
  house.create("Two", R"("status":"todo")");
  auto const run = house.start("ada");
  house.answer("freeze", R"({"board":"Classic"})");
  auto const ada = *reflect::read_json<core::Worker>(house.answer("get_worker", R"({"name":"ada"})"));
  CHECK(ada.state == core::Light::paused);
  house.answer("thaw", "{}");
  house.finish(run);
  house.answer("freeze", R"({"worker":"ada"})");
  CHECK(house.refusal("dispatch_next", R"({"worker":"ada"})") == "NOTHING_TO_PICK");
  house.answer("thaw", R"({"worker":"ada"})");
  CHECK(house.ask("dispatch_next", R"({"worker":"ada"})").has_value());
}

TEST_CASE("Freeze.TheTimeOfAFreezeIsNoSilence") {
  House house;
  house.add_worker("ada", R"("takes_unassigned":true)");
  house.create("One", R"("status":"todo")");
  house.start("ada");
  house.answer("freeze", "{}");
  house.clock.advance(std::chrono::hours{3});
  house.answer("thaw", "{}");
  CHECK(reflect::read_json<core::Worker>(house.answer("get_worker", R"({"name":"ada"})"))->state ==
        core::Light::working);
}

TEST_CASE("Freeze.ThawOfEverythingForgetsEveryFreeze") {
  House house;
  house.add_worker("ada");
  house.answer("freeze", R"({"worker":"ada"})");
  house.answer("freeze", R"({"board":"classic"})");
  house.answer("freeze", "{}");
  auto const frozen = *reflect::read_json<service::Frozen>(house.answer("list_frozen", "{}"));
  CHECK(frozen.everything);
  CHECK(frozen.workers == std::vector<std::string>{"ada"});
  CHECK(house.answer("thaw", "{}") == R"({"everything":false,"boards":[],"workers":[]})");
  CHECK(house.refusal("freeze", R"({"worker":"nobody"})") == "WORKER_NOT_FOUND");
  CHECK(house.refusal("freeze", R"({"board":"none"})") == "BOARD_NOT_FOUND");
}
