#include "core/runs/work_branch.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

TEST_CASE("WorkBranch.ATitleBecomesAShortPlainName") {
  CHECK(work_name(42, "Fix the Cart!") == "42-fix-the-cart");
  CHECK(work_name(7, "  --../../etc/passwd; rm -rf ~ ") == "7-etc-passwd-rm-rf");
  CHECK(work_name(7, "日本語") == "7-task");
  CHECK(work_name(7, std::string(500, 'x')).size() == 42);
}

TEST_CASE("WorkBranch.ANameTellsItsTask") {
  CHECK(task_of_work("42-fix-the-cart") == 42);
  for (auto const* other : {"", "42", "landing", "-1-x", "0-x", "99999999999999999999-x"})
    CHECK(task_of_work(other) == 0);
}

TEST_CASE("WorkBranch.IsOfItsTaskUnderThePrefixOfTheBoardOrTheUsualOne") {
  CHECK(task_of_branch("andon/42-cart") == 42);
  CHECK(task_of_branch("team/agents/42-cart") == 42);
  for (auto const* other : {"", "42-cart", "main", "andon/cart", "andon/"}) CHECK(task_of_branch(other) == 0);
  CHECK(is_branch_of_task("team/agents/42-cart", 42, "team/agents"));
  CHECK(is_branch_of_task("andon/42-cart", 42, "team/agents"));
  CHECK_FALSE(is_branch_of_task("team/agents/42-cart", 43, "team/agents"));
  CHECK_FALSE(is_branch_of_task("feature/42-cart", 42, "team/agents"));
  CHECK_FALSE(is_branch_of_task("42-cart", 42, ""));
}
