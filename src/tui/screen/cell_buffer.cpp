#include "tui/screen/cell_buffer.hpp"

#include <algorithm>
#include <utility>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"

namespace andon::tui {
namespace {

constexpr int kMostCells = 1 << 15;

/// The part of an area that lies on a screen of that size.
Rect clipped(Rect const& area, int width, int height) {
  int const left = std::clamp(area.x, 0, width);
  int const top = std::clamp(area.y, 0, height);
  int const right = std::clamp(area.x + std::min(area.width, kMostCells), left, width);
  int const bottom = std::clamp(area.y + std::min(area.height, kMostCells), top, height);
  return {left, top, right - left, bottom - top};
}

bool is_right_half(Cell const& cell) { return cell.text.empty(); }

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

CellBuffer::CellBuffer(int width, int height)
    : width_(std::max(width, 0)),
      height_(std::max(height, 0)),
      cells_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {
  clear({0, 0, width_, height_});
}

Cell const& CellBuffer::at(Point point) const { return cells_.at(index_of(point)); }

std::size_t CellBuffer::index_of(Point point) const {
  return static_cast<std::size_t>(point.y) * static_cast<std::size_t>(width_) +
         static_cast<std::size_t>(point.x);
}

void CellBuffer::separate(Point point) {
  if (point.x < 0 || point.x >= width_) return;
  auto& cell = cells_[index_of(point)];
  cell.begins_piece = true;
  if (!is_right_half(cell)) return;
  cell.text = " ";
  cells_[index_of({point.x - 1, point.y})].text = " ";
}

int CellBuffer::put(Point at, std::string_view text, Style style, int most) {
  if (at.y < 0 || at.y >= height_ || at.x >= width_) return 0;
  auto const line = core::visible_line(text);
  int const end = std::min(width_, at.x + std::clamp(most, 0, kMostCells));
  int x = at.x;
  bool begins_piece = true;
  for (core::ClusterReader reader{line}; !reader.at_end();) {
    auto const cluster = reader.next();
    int const cells = static_cast<int>(cluster.cells);
    if (x + cells > end) break;
    if (cells > 0 && x >= 0) {
      write({x, at.y}, cluster.bytes, cells, style, std::exchange(begins_piece, false));
    }
    x += cells;
  }
  return x - at.x;
}

void CellBuffer::write(Point at, std::string_view cluster, int cells, Style const& style, bool begins_piece) {
  separate(at);
  separate({at.x + cells, at.y});
  auto* cell = &cells_[index_of(at)];
  cell[0] = {std::string{cluster}, style, begins_piece};
  if (cells == 2) cell[1] = {"", style, false};
}

void CellBuffer::clear(Rect area, Style style) {
  auto const [x, y, width, height] = clipped(area, width_, height_);
  if (width == 0) return;
  for (int row = y; row < y + height; ++row) {
    separate({x, row});
    separate({x + width, row});
    auto const first = cells_.begin() + static_cast<std::ptrdiff_t>(index_of({x, row}));
    std::fill_n(first, width, Cell{" ", style, false});
    first->begins_piece = true;
  }
}

void CellBuffer::frame(Rect area, Style style) {
  if (area.width < 2 || area.height < 2 || area.width > kMostCells) return;
  auto const line = repeated("─", area.width - 2);
  int const right = area.x + area.width - 1;
  int const bottom = area.y + area.height - 1;
  put({area.x, area.y}, "╭" + line + "╮", style);
  put({area.x, bottom}, "╰" + line + "╯", style);
  for (int y = std::max(area.y + 1, 0); y < std::min(bottom, height_); ++y) {
    put({area.x, y}, "│", style);
    put({right, y}, "│", style);
  }
}

std::string CellBuffer::text() const {
  std::string out;
  for (int y = 0; y < height_; ++y) {
    std::string row;
    for (int x = 0; x < width_; ++x) row += at({x, y}).text;
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  }
  return out;
}

}  // namespace andon::tui
