#include "tui/screen/cell_buffer.hpp"

#include <doctest/doctest.h>

using namespace andon::tui;

namespace {

/// One row: `|` before each cell that begins a run, `_` for the right half of a wide character.
std::string runs(CellBuffer const& buffer, int y = 0) {
  std::string out;
  for (int x = 0; x < buffer.width(); ++x) {
    auto const& cell = buffer.at({x, y});
    if (cell.begins_piece) out += '|';
    out += cell.text.empty() ? "_" : cell.text;
  }
  return out;
}

}  // namespace

TEST_CASE("CellBuffer.KeepsWhatIsPutUntilItIsCleared") {
  CellBuffer buffer(6, 2);
  CHECK(buffer.put({1, 1}, "abc") == 3);
  CHECK(buffer.text() == "\n abc\n");
  buffer.clear({2, 0, 1, 2});
  CHECK(buffer.text() == "\n a c\n");
}

TEST_CASE("CellBuffer.CutsAtItsEdges") {
  CellBuffer buffer(4, 1);
  CHECK(buffer.put({2, 0}, "abc") == 2);
  CHECK(buffer.put({-2, 0}, "xyz") == 3);
  CHECK(buffer.text() == "z ab\n");
  CHECK(buffer.put({0, 1}, "below") == 0);
  CHECK(buffer.put({0, -1}, "above") == 0);
  CHECK(buffer.put({4, 0}, "right") == 0);
  CHECK(buffer.put({0, 0}, "abc", {}, 2) == 2);
  CHECK(buffer.put({0, 0}, "abc", {}, -1) == 0);
  buffer.clear({-5, -5, 6, 60});
  CHECK(buffer.text() == " bab\n");
}

TEST_CASE("CellBuffer.AWideCharacterTakesTwoCells") {
  CellBuffer buffer(5, 1);
  CHECK(buffer.put({0, 0}, "你好") == 4);
  CHECK(runs(buffer) == "|你_好_| ");
  CHECK(buffer.put({2, 0}, "👩\u200d💻x") == 3);
  CHECK(runs(buffer) == "|你_|👩\u200d💻_x");
}

TEST_CASE("CellBuffer.AWideCharacterIsNotCutInHalf") {
  CellBuffer buffer(5, 1);
  CHECK(buffer.put({0, 0}, "你好世") == 4);
  CHECK(buffer.put({-1, 0}, "你a") == 3);
  CHECK(buffer.text() == " a好\n");
}

TEST_CASE("CellBuffer.OverwritingHalfAWideCharacterBlanksTheOtherHalf") {
  CellBuffer buffer(6, 1);
  buffer.put({0, 0}, "你好世");
  buffer.put({1, 0}, "ab");
  CHECK(runs(buffer) == "| |ab| 世_");
  buffer.clear({5, 0, 1, 1});
  CHECK(runs(buffer) == "| |ab|  | ");
}

TEST_CASE("CellBuffer.EachPutIsARun") {
  CellBuffer buffer(8, 1);
  buffer.put({0, 0}, "abcdefgh");
  CHECK(runs(buffer) == "|abcdefgh");
  buffer.put({2, 0}, "XY");
  CHECK(runs(buffer) == "|ab|XY|efgh");
  buffer.clear({5, 0, 2, 1});
  CHECK(runs(buffer) == "|ab|XY|e|  |h");
}

TEST_CASE("CellBuffer.AMarkJoinsTheCharacterBeforeItOrIsLeftOut") {
  CellBuffer buffer(4, 1);
  CHECK(buffer.put({0, 0}, "e\u0301x") == 2);
  CHECK(buffer.at({0, 0}).text == "e\u0301");
  CHECK(buffer.put({1, 0}, "\u0301y") == 1);
  CHECK(buffer.text() == "e\u0301y\n");
}

TEST_CASE("CellBuffer.NoControlCharacterGetsIntoACell") {
  CellBuffer buffer(80, 1);
  buffer.put({0, 0}, "a\x1b[31m\tb\nc\r\u202e\u0085\x7f\xff\u200b");
  CHECK(buffer.text() == "a\\x1b[31m\\tb\\nc\\x0d[U+202E][U+0085]\\x7f\\xff[U+200B]\n");
}

TEST_CASE("CellBuffer.DrawsFrames") {
  CellBuffer buffer(5, 3);
  buffer.frame({0, 0, 5, 3}, {.bold = true});
  CHECK(buffer.text() == "╭───╮\n│   │\n╰───╯\n");
  CHECK(buffer.at({4, 1}) == Cell{"│", {.bold = true}, true});
  CHECK(buffer.at({1, 1}).style == Style{});
}

TEST_CASE("CellBuffer.OfNoSizeTakesNothing") {
  CellBuffer buffer(0, -1);
  CHECK(buffer.put({0, 0}, "a") == 0);
  buffer.clear({0, 0, 5, 5});
  CHECK(buffer.text().empty());
}
