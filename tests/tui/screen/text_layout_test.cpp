#include "tui/screen/text_layout.hpp"

#include <doctest/doctest.h>

using namespace andon::tui;
using Lines = std::vector<std::string>;

TEST_CASE("TextLayout.BreaksAtBlanks") {
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 8) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 5) == Lines{"one", "two", "three"});
}

TEST_CASE("TextLayout.CutsAWordThatIsLongerThanALine") {
  CHECK(wrapped("abcdefgh ij", 3) == Lines{"abc", "def", "gh", "ij"});
  CHECK(wrapped("a bcdefg", 3) == Lines{"a", "bcd", "efg"});
}

TEST_CASE("TextLayout.KeepsLineEndsAndIndentation") {
  CHECK(wrapped("a\r\n\n  b c", 9) == Lines{"a", "", "  b c"});
  CHECK(wrapped("\tb", 9) == Lines{"    b"});
  CHECK(wrapped("", 9) == Lines{""});
}

TEST_CASE("TextLayout.CountsCells") {
  CHECK(wrapped("你好世界", 5) == Lines{"你好", "世界"});
  CHECK(wrapped("你a", 1) == Lines{"…", "a"});
  CHECK(wrapped("ab", 0) == Lines{"a", "b"});
}

TEST_CASE("TextLayout.MarksWhatIsCut") {
  CHECK(wrapped("one two three", 5, 2) == Lines{"one", "two…"});
  CHECK(wrapped("abcdef", 3, 1) == Lines{"ab…"});
  CHECK(wrapped("a\nb", 3, 1) == Lines{"a…"});
  CHECK(wrapped("a\nb", 3, 2) == Lines{"a", "b"});
  CHECK(wrapped("a", 3, 0).empty());
}

TEST_CASE("TextLayout.CutsTheWordAtTheEndOfTheLastLine") {
  CHECK(wrapped("#1 Supercalifragilistic", 10, 1) == Lines{"#1 Superc…"});
  CHECK(wrapped("#1 Fix the rounding", 12, 1) == Lines{"#1 Fix the…"});
  CHECK(wrapped("#1 Fix the rounding", 6, 2) == Lines{"#1 Fix", "the r…"});
  CHECK(wrapped("#1 你好世界", 8, 1) == Lines{"#1 你好…"});
}

TEST_CASE("TextLayout.ShowsHiddenCharacters") { CHECK(wrapped("a\x1b b", 6) == Lines{"a\\x1b", "b"}); }

TEST_CASE("Shortened.SaysThatSomethingWasCut") {
  CHECK(shortened("board", 5) == "board");
  CHECK(shortened("boards", 5) == "boar…");
  CHECK(shortened("你好世界", 4) == "你…");
  CHECK(shortened("board", -3) == "…");
}

TEST_CASE("Fitting.KeepsTheLastPartTheLongest") {
  CHECK(fitting("j:scroll  e:edit  esc:back", 26) == "j:scroll  e:edit  esc:back");
  CHECK(fitting("j:scroll  e:edit  esc:back", 25) == "j:scroll  esc:back");
  CHECK(fitting("j:scroll  e:edit  esc:back", 17) == "esc:back");
  CHECK(fitting("j:scroll  e:edit  esc:back", 4) == "esc…");
  CHECK(fitting("", 4) == "");
}
