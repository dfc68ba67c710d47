#pragma once

#include <optional>

#include "tui/model/model.hpp"
#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

/// Draws a dialog over what is there. The answer is where the cursor of a text that is typed stands.
std::optional<Point> draw_dialog(Model const& model, Dialog const& dialog, CellBuffer& cells);

}  // namespace andon::tui
