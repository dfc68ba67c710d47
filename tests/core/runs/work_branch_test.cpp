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
