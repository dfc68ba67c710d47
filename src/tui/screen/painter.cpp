#include "tui/screen/painter.hpp"

#include <utility>

#include "tui/screen/sgr.hpp"

// Each row is taken apart into its pieces and the blanks at its end. A piece of which a cell differs from the
// picture before is written whole, after a CUP where the cursor is not there yet. The blanks at the end are
// erased by one EL. Between two pictures the terminal's style is the default one, and it does not wrap.

namespace andon::tui {
namespace {

constexpr std::string_view kDefaultStyle = "\x1b[0m";
constexpr std::string_view kHideCursor = "\x1b[?25l";
constexpr std::string_view kShowCursor = "\x1b[?25h";
constexpr std::string_view kClearScreen = "\x1b[0m\x1b[H\x1b[2J";
constexpr std::string_view kEraseToEnd = "\x1b[K";

bool look_alike(Cell const& a, Cell const& b) { return a.text == b.text && a.style == b.style; }
bool is_erased(Cell const& cell) { return cell.text == " " && cell.style == Style{}; }

/// ASCII and other single narrow characters: every terminal draws them as wide as we count them.
bool has_certain_width(Cell const& cell) { return !cell.text.empty() && cell.text.size() <= 3; }

std::string cursor_position(Point at) {
  return "\x1b[" + std::to_string(at.y + 1) + ";" + std::to_string(at.x + 1) + "H";
}

/// The column at which the blanks at the end of a row begin.
int end_of_text(CellBuffer const& picture, int y) {
  int end = picture.width();
  while (end > 0 && is_erased(picture.at({end - 1, y}))) --end;
  return end;
}

/// The end of the piece that starts at `begin`, at most `limit`.
int end_of_piece(CellBuffer const& picture, Point begin, int limit) {
  int end = begin.x + 1;
  while (end < limit && !picture.at({end, begin.y}).begins_piece) ++end;
  return end;
}

bool differ(CellBuffer const& a, CellBuffer const& b, Point begin, int end) {
  for (auto at = begin; at.x < end; ++at.x)
    if (!look_alike(a.at(at), b.at(at))) return true;
  return false;
}

/// Collects the bytes, and knows where they leave the cursor and the style.
class Pen {
 public:
  explicit Pen(Colours colours) : colours_(colours) {}

  void write(CellBuffer const& picture, Point begin, int end) {
    go_to(begin);
    bool is_certain = true;
    for (auto at = begin; at.x < end; ++at.x) {
      auto const& cell = picture.at(at);
      is_certain = is_certain && has_certain_width(cell);
      if (cell.text.empty()) continue;
      set_style(cell.style);
      bytes_ += cell.text;
    }
    at_ = {end, begin.y};
    knows_place_ = is_certain && end < picture.width();
  }

  void erase_from(Point begin) {
    go_to(begin);
    set_style({});
    bytes_ += kEraseToEnd;
  }

  std::string finish() && {
    set_style({});
    return std::move(bytes_);
  }

 private:
  void go_to(Point at) {
    if (!knows_place_ || at != at_) bytes_ += cursor_position(at);
    at_ = at;
    knows_place_ = true;
  }

  void set_style(Style const& style) {
    if (style == style_) return;
    style_ = style;
    auto sequence = sgr(style, colours_);
    if (sequence != sequence_) bytes_ += sequence;
    sequence_ = std::move(sequence);
  }

  Colours colours_;
  std::string bytes_;
  Style style_{};
  std::string sequence_{kDefaultStyle};
  Point at_{};
  bool knows_place_ = false;
};

void paint_row(Pen& pen, CellBuffer const& before, CellBuffer const& now, int y) {
  int const text_end = end_of_text(now, y);
  int end = 0;
  for (int x = 0; x < text_end; x = end) {
    end = end_of_piece(now, {x, y}, text_end);
    if (differ(before, now, {x, y}, end)) pen.write(now, {x, y}, end);
  }
  if (differ(before, now, {text_end, y}, now.width())) pen.erase_from({text_end, y});
}

std::string painted_rows(CellBuffer const& before, CellBuffer const& now, Colours colours) {
  Pen pen(colours);
  for (int y = 0; y < now.height(); ++y) paint_row(pen, before, now, y);
  return std::move(pen).finish();
}

}  // namespace

std::string painted(CellBuffer const* before, CellBuffer const& now, Colours colours,
                    std::optional<Point> cursor) {
  std::string out{kHideCursor};
  bool const is_first = !before || before->width() != now.width() || before->height() != now.height();
  if (is_first)
    out.append(kClearScreen).append(painted_rows(CellBuffer(now.width(), now.height()), now, colours));
  else
    out += painted_rows(*before, now, colours);
  if (cursor) out.append(cursor_position(*cursor)).append(kShowCursor);
  return out;
}

}  // namespace andon::tui
