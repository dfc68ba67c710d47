#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::House;

TEST_CASE("Token.NeedsANameThatCanBeShownAndAHashOfItsOwn") {
  House house;
  auto const token = [](std::string const& name, char digit) {
    return R"({"name":")" + name + R"(","hash":")" + std::string(64, digit) + "\"}";
  };
  house.answer("create_token", token("ann", 'a'));
  CHECK(house.refusal("create_token", token("bob", 'a')) == "INVALID_INPUT");
  CHECK(house.refusal("create_token", token("bob", 'x')) == "INVALID_INPUT");
  CHECK(house.refusal("create_token", token(" ", 'b')) == "INVALID_INPUT");
  CHECK(house.refusal("create_token", token(R"(b\u0000b)", 'b')) == "INVALID_INPUT");
  house.answer("create_token", token("bob", 'b'));
}
