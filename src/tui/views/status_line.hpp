#pragma once

#include "tui/model/model.hpp"
#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

/// The last row of the board: how many cards there are, and what can be done; or what was refused.
void draw_status_line(Model const& model, int row, CellBuffer& cells);
/// The first row of a server's board: its lamp, its name, its workers with their lights, what waits.
void draw_top_line(Model const& model, CellBuffer& cells);

}  // namespace andon::tui
