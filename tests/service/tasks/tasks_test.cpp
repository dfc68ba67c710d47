#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::House;

TEST_CASE("ListTasks.MineAreThoseOfTheCaller") {
  House house;
  house.create("Hers", R"("assignee":"ann")");
  house.create("His", R"("assignee":"bob")");
  house.create("Nobody's");
  auto const mine = [&](std::string const& name) {
    return house.answer("list_tasks", R"({"mine":true})", test::person(name));
  };
  CHECK(mine("ann").find("Hers") != std::string::npos);
  CHECK(mine("ann").find("His") == std::string::npos);
  CHECK(mine("bob").find("His") != std::string::npos);
  CHECK(mine("cleo") == R"({"items":[]})");
}
