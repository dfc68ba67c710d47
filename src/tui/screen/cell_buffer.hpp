#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tui/screen/style.hpp"

namespace andon::tui {

struct Point {
  int x = 0;
  int y = 0;
  bool operator==(Point const&) const = default;
};

struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool contains(Point at) const { return at.x >= x && at.y >= y && at.x < x + width && at.y < y + height; }
  bool operator==(Rect const&) const = default;
};

/// One cell of a terminal.
struct Cell {
  std::string text = " ";  ///< a character with its combining ones; empty for the right half of a wide one
  Style style{};
  bool begins_piece = false;  ///< the first cell of what one `put` wrote
  bool operator==(Cell const&) const = default;
};

/// A picture of the terminal's screen in memory. Everything is cut at its edges. No control character gets
/// into a cell, whatever text is put.
class CellBuffer {
 public:
  CellBuffer(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  Cell const& at(Point point) const;

  /// Writes one line of text, at most so many cells. Answers how many cells it took, those left of the screen
  /// among them; 0 outside of the rows. A wide character that would be cut in half is left out, and what it
  /// overwrites one half of becomes blank. Hidden characters, tabs and line ends are written as
  /// `core::visible_line` does. The cells that are written make up a piece: the painter repaints all of it or
  /// nothing.
  int put(Point at, std::string_view text, Style style = {}, int most = 1 << 15);
  /// Blanks the cells. Each row of the area is a piece.
  void clear(Rect area, Style style = {});
  /// Draws a frame of rounded lines just inside the area.
  void frame(Rect area, Style style = {});

  /// The rows as text, each with a line end and without blanks before it; for tests and for pictures in
  /// documents.
  std::string text() const;

 private:
  std::size_t index_of(Point point) const;
  /// Begins a piece at the cell, and blanks a wide character that reaches over its left edge.
  void separate(Point point);
  void write(Point at, std::string_view cluster, int cells, Style const& style, bool begins_piece);

  int width_;
  int height_;
  std::vector<Cell> cells_;
};

}  // namespace andon::tui
