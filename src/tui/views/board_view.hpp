#pragma once

#include "tui/model/model.hpp"
#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

/// The columns with their cards, below them the line with what can be done, above them on a server's board
/// its workers.
void draw_board(Model const& model, CellBuffer& cells);

}  // namespace andon::tui
