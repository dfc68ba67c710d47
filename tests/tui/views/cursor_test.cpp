#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

using namespace andon::tui;
using namespace andon::tui::test;

namespace {

/// The character under the cursor of a form whose brief is typed, on a screen with lines of 20 cells.
std::string under_cursor(std::string const& text, int lefts) {
  BoardOnScreen screen;
  screen.happens(Resized{25, 20});
  screen.type("c");
  screen.press(Key::tab);
  screen.happens(Paste{text});
  for (int i = 0; i < lefts; ++i) screen.press(Key::left);
  auto const picture = draw(screen.model);
  return picture.cells.at(*picture.cursor).text;
}

}  // namespace

TEST_CASE("Cursor.StandsOnTheCharacterBehindIt") {
  std::string const text = "one two three four five six seven";
  for (int lefts = 1; lefts <= static_cast<int>(text.size()); ++lefts) {
    CAPTURE(lefts);
    CHECK(under_cursor(text, lefts) == text.substr(text.size() - static_cast<std::size_t>(lefts), 1));
  }
}

TEST_CASE("Cursor.StandsBehindTheLastCharacter") {
  CHECK(under_cursor("one", 0) == " ");
  CHECK(under_cursor("one two three four 你好", 1) == "好");
  CHECK(under_cursor("a\n\nb", 1) == "b");
  CHECK(under_cursor("", 0) == " ");
}
