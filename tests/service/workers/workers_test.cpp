#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::House;

namespace {

std::string edit(House& house, std::string const& members) {
  return house.refusal("edit_worker", R"({"name":"ada",)" + members + "}");
}

}  // namespace

TEST_CASE("Worker.ServesBoardsByTheNamesTheyHave") {
  House house;
  house.add_worker("ada", R"("boards":["Classic","1","*"])");
  auto const worker = reflect::read_json<core::Worker>(house.answer("get_worker", R"({"name":"ada"})"));
  CHECK(worker->boards == std::vector<std::string>{"classic", "*"});
  CHECK(edit(house, R"("boards":["nowhere"])") == "BOARD_NOT_FOUND");
  CHECK(edit(house, R"("boards":[""])") == "INVALID_INPUT");
}

TEST_CASE("Worker.TakesTextsThatCanBeShownAndHandedOn") {
  House house;
  house.add_worker("ada");
  auto const seq = house.last_seq();
  CHECK(edit(house, R"("prompt":"a\u0000b")") == "INVALID_INPUT");
  CHECK(edit(house, R"("prompt_file":"roles/\u001b[31m.md")") == "INVALID_INPUT");
  CHECK(edit(house, R"("memory":[""])") == "INVALID_INPUT");
  CHECK(edit(house, R"("tools":["a\nb"])") == "INVALID_INPUT");
  CHECK(house.refusal("pause_worker", R"({"name":"ada","reason":"a\u001b[31m"})") == "INVALID_INPUT");
  CHECK(house.refusal("pause_worker", R"({"name":"ada","reason":")" + std::string(65'537, 'x') + "\"}") ==
        "INVALID_INPUT");
  CHECK(house.last_seq() == seq);
  house.answer("pause_worker", R"({"name":"ada","reason":"lunch"})");
}

TEST_CASE("Worker.HasANameThatNobodyTakesForAnother") {
  House house;
  house.add_worker("dev-1");
  for (auto const* name : {"dev-1", "DEV-1", "Dev_1", "dev1"}) {
    auto const refused =
        house.error("add_worker", R"({"name":")" + std::string{name} + R"(","agent":"claude"})");
    CHECK(refused.code == core::Code::kWorkerAlreadyExists);
    CHECK(refused.field == "name");
    CHECK(refused.message.contains("\"dev-1\""));
  }
  house.add_worker("dev-2");
}
