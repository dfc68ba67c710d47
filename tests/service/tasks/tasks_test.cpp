#include "service/tasks/tasks.hpp"

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

TEST_CASE("ListTasks.MineAreThoseOfTheCaller") {
  TestApp app;
  app.create("Hers", {.assignee = "ann"});
  app.create("His", {.assignee = "bob"});
  app.create("Nobody's");
  auto const mine = [&](std::string const& name) {
    return app.answer<&service::list_tasks>({.mine = true}, test::person(name));
  };
  CHECK(mine("ann").find("Hers") != std::string::npos);
  CHECK(mine("ann").find("His") == std::string::npos);
  CHECK(mine("bob").find("His") != std::string::npos);
  CHECK(mine("cleo") == R"({"items":[]})");
}
