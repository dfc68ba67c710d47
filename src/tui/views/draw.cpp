#include "tui/views/draw.hpp"

#include <algorithm>

#include "core/text/visible_text.hpp"
#include "tui/model/look.hpp"
#include "tui/views/board_view.hpp"
#include "tui/views/dialog_view.hpp"

namespace andon::tui {
namespace {

/// A dialog that is larger than the screen may have its cursor beyond the edge.
std::optional<Point> on_screen(std::optional<Point> cursor, Resized const& size) {
  if (!cursor || size.columns < 1 || size.rows < 1) return std::nullopt;
  return Point{std::clamp(cursor->x, 0, size.columns - 1), std::clamp(cursor->y, 0, size.rows - 1)};
}

}  // namespace

Picture draw(Model const& model) {
  Picture out{CellBuffer{model.size.columns, model.size.rows}, std::nullopt};
  if (!model.data.is_read) {
    auto const text =
        model.trouble.empty() ? std::string{"Reading the board…"} : core::visible_line(model.trouble);
    out.cells.put({1, 0}, text, model.trouble.empty() ? kFaint : kBad);
    return out;
  }
  draw_board(model, out.cells);
  for (auto const& dialog : model.dialogs)
    out.cursor = on_screen(draw_dialog(model, dialog, out.cells), model.size);
  return out;
}

}  // namespace andon::tui
