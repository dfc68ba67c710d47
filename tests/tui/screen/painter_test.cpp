#include "tui/screen/painter.hpp"

#include <doctest/doctest.h>

using namespace andon::tui;

namespace {

constexpr Style kBold{.bold = true};
constexpr Style kRed{.text = Colour::of(1)};

std::string changes(CellBuffer const& before, CellBuffer const& now, Colours colours = Colours::rgb) {
  return painted(&before, now, colours, std::nullopt);
}

std::string first(CellBuffer const& now, Colours colours = Colours::rgb) {
  return painted(nullptr, now, colours, std::nullopt);
}

CellBuffer picture(std::string_view text, Style style = {}) {
  CellBuffer buffer(12, 2);
  buffer.put({0, 0}, text, style);
  return buffer;
}

}  // namespace

TEST_CASE("Painter.TheFirstPictureClearsTheScreen") {
  CHECK(first(picture("abc")) == "\x1b[?25l\x1b[0m\x1b[H\x1b[2J\x1b[1;1Habc");
  CellBuffer const small(3, 1);
  CHECK(changes(small, picture("abc")) == first(picture("abc")));
}

TEST_CASE("Painter.WhatDidNotChangeCostsNothing") {
  auto before = picture("abc");
  auto now = before;
  CHECK(changes(before, now) == "\x1b[?25l");
  now.put({4, 1}, "new");
  CHECK(changes(before, now) == "\x1b[?25l\x1b[2;5Hnew");
}

TEST_CASE("Painter.ARunIsWrittenWhole") {
  CHECK(changes(picture("Status: todo"), picture("Status: done")) == "\x1b[?25l\x1b[1;1HStatus: done");
}

TEST_CASE("Painter.AdjacentRunsNeedOnePosition") {
  auto now = picture("ab");
  now.put({2, 0}, "cd", kBold);
  CHECK(first(now) == "\x1b[?25l\x1b[0m\x1b[H\x1b[2J\x1b[1;1Hab\x1b[0;1mcd\x1b[0m");
}

TEST_CASE("Painter.ARunAfterAWideCharacterIsPlacedAnew") {
  auto now = picture("你");
  now.put({2, 0}, "cd");
  CHECK(changes(picture(""), now) == "\x1b[?25l\x1b[1;1H你\x1b[1;3Hcd");
}

TEST_CASE("Painter.BlanksAtTheEndOfARowAreErased") {
  CHECK(changes(picture("abc def"), picture("abc")) == "\x1b[?25l\x1b[1;4H\x1b[K");
  CHECK(changes(picture("abc def"), picture("xyz")) == "\x1b[?25l\x1b[1;1Hxyz\x1b[K");
  CHECK(changes(picture("abc"), picture("")) == "\x1b[?25l\x1b[1;1H\x1b[K");
}

TEST_CASE("Painter.PaintedBlanksAreWritten") {
  CHECK(changes(picture(""), picture("a  ", {.reverse = true})) == "\x1b[?25l\x1b[1;1H\x1b[0;7ma  \x1b[0m");
}

TEST_CASE("Painter.ShowsTheCursorAtItsPlace") {
  auto const buffer = picture("abc");
  CHECK(painted(&buffer, buffer, Colours::none, Point{3, 1}) == "\x1b[?25l\x1b[2;4H\x1b[?25h");
}

TEST_CASE("Painter.ColoursAreTheNearestTheTerminalHas") {
  auto const sequence = [](Colour text, Colours colours) {
    auto const bytes = changes(picture(""), picture("x", {.text = text, .bold = true}), colours);
    auto const begin = bytes.find("\x1b[0;");
    return bytes.substr(begin + 2, bytes.find('x') - begin - 2);
  };
  CHECK(sequence(Colour::of(1), Colours::none) == "0;1m");
  CHECK(sequence(Colour::of(1), Colours::sixteen) == "0;1;31m");
  CHECK(sequence(Colour::of(9), Colours::palette) == "0;1;91m");
  CHECK(sequence(Colour::of(196), Colours::sixteen) == "0;1;91m");
  CHECK(sequence(Colour::of(196), Colours::palette) == "0;1;38;5;196m");
  CHECK(sequence(Colour::of(250, 5, 5), Colours::sixteen) == "0;1;91m");
  CHECK(sequence(Colour::of(250, 5, 5), Colours::palette) == "0;1;38;5;196m");
  CHECK(sequence(Colour::of(129, 129, 129), Colours::palette) == "0;1;38;5;244m");
  CHECK(sequence(Colour::of(250, 5, 5), Colours::rgb) == "0;1;38;2;250;5;5m");
}

TEST_CASE("Painter.GroundsHaveCodesOfTheirOwn") {
  auto const bytes = changes(picture(""), picture("x", {.ground = Colour::of(12)}));
  CHECK(bytes == "\x1b[?25l\x1b[1;1H\x1b[0;104mx\x1b[0m");
}

TEST_CASE("Painter.WithoutColoursARunStaysInOnePiece") {
  CellBuffer now(12, 1);
  now.put({0, 0}, "a");
  now.put({1, 0}, "bc", kRed);
  now.put({3, 0}, "d");
  CHECK(first(now, Colours::none) == "\x1b[?25l\x1b[0m\x1b[H\x1b[2J\x1b[1;1Habcd");
}
