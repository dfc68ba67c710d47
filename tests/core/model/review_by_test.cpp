#include "core/model/review_by.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

TEST_CASE("ReviewBy.IsReadFromItsText") {
  CHECK(parse_review_by("person") == ReviewBy{Reviewer::person});
  CHECK(parse_review_by("checks") == ReviewBy{Reviewer::checks});
  CHECK(parse_review_by("role:qa") == ReviewBy{Reviewer::role, "qa"});
}

TEST_CASE("ReviewBy.KeepsATextThatMeansNothing") {
  for (auto const* text : {"", "role:", "Person", "anybody"}) {
    auto const by = parse_review_by(text);
    CHECK(by.kind == Reviewer::unknown);
    CHECK(to_text(by) == text);
  }
  for (auto const* text : {"person", "checks", "role:qa"}) CHECK(to_text(parse_review_by(text)) == text);
}
