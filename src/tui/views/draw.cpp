#include "tui/views/draw.hpp"

#include <algorithm>

#include "core/text/visible_text.hpp"
#include "tui/model/look.hpp"
#include "tui/views/board_view.hpp"
#include "tui/views/dialog_view.hpp"

namespace andon::tui {

Picture draw(Model const& model) {
  Picture out{CellBuffer{model.size.columns, model.size.rows}, std::nullopt};
  if (!model.data.is_read) {
    auto const text =
        model.trouble.empty() ? std::string{"Reading the board…"} : core::visible_line(model.trouble);
    out.cells.put({1, 0}, text, model.trouble.empty() ? kFaint : kBad);
    return out;
  }
  draw_board(model, out.cells);
  for (auto const& dialog : model.dialogs) out.cursor = draw_dialog(model, dialog, out.cells);
  // A screen may be too small for the field with the cursor.
  if (out.cursor)
    out.cursor = Point{std::clamp(out.cursor->x, 0, std::max(0, model.size.columns - 1)),
                       std::clamp(out.cursor->y, 0, std::max(0, model.size.rows - 1))};
  return out;
}

}  // namespace andon::tui
