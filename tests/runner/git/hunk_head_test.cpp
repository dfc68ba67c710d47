#include "runner/git/hunk_head.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace andon;

TEST_CASE("HunkHead.NamesTheLinesBeforeAndAfter") {
  auto const plain = runner::hunk_head("@@ -12,3 +14 @@ int main() {");
  REQUIRE(plain);
  REQUIRE(plain->before.size() == 1);
  CHECK(plain->before[0].first == 12);
  CHECK(plain->before[0].count == 3);
  CHECK(plain->after.first == 14);
  CHECK(plain->after.count == 1);
  auto const merged = runner::hunk_head("@@@ -1,2 -3,4 +5,6 @@@");
  REQUIRE(merged);
  CHECK(merged->before.size() == 2);
  CHECK(merged->after.count == 6);
}

TEST_CASE("HunkHead.OtherLinesHaveNone") {
  for (std::string const& line :
       {std::string{}, std::string{"@"}, std::string{"@@"}, std::string{"@@ -1"}, std::string{"@@ -1,2"},
        std::string{"@@ -1,x +1 @@"}, std::string{"@@ +1 @@"}, std::string{"@@ -99999999999999999999 +1 @@"},
        std::string{"-1 +1"}, std::string(100'000, '@')})
    CHECK_FALSE(runner::hunk_head(line));
}
