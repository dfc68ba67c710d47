#include "core/text/folded_words.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

TEST_CASE("FoldedWords.AreSmallLettersAndDigitsWithoutDiacritics") {
  CHECK(folded_words("The Café, 2nd_floor!") == "the cafe 2nd floor");
  CHECK(folded_words("cafe\u0301 \u00C4rger Stra\u00DFe \u1EA4") == "cafe arger stra\u00DFe a");
  CHECK(folded_words("\u0418\u0419 \u03AC \u6F22\u5B57\u304C") == "\u0438\u0438 \u03B1 \u6F22\u5B57\u304C");
  CHECK(folded_words("a\xFF"
                     "b \xC3 \u2026 \U0001F600") == "a b");
  CHECK(folded_words("\u0301 -\u0301-").empty());
  CHECK(folded_words("").empty());
}

TEST_CASE("FoldedWords.KnowWhereTheyStand") {
  FoldedWords words{"- \u00C4h, ok."};
  REQUIRE(words.next());
  CHECK(words.word() == "ah");
  CHECK(words.begin() == 2);
  CHECK(words.end() == 5);
  REQUIRE(words.next());
  CHECK(words.begin() == 7);
  CHECK(words.end() == 9);
  CHECK_FALSE(words.next());
}

TEST_CASE("FoldedWords.CutVeryLongOnes") {
  auto const words = folded_words(std::string(5'000, 'x') + " y");
  CHECK(words.size() < 600);
  CHECK(words.ends_with("x y"));
}
