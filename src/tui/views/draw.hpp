#pragma once

#include <optional>

#include "tui/model/model.hpp"
#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

/// A picture of the model, and where the cursor of a text that is typed stands.
struct Picture {
  CellBuffer cells;
  std::optional<Point> cursor;
};
Picture draw(Model const& model);

}  // namespace andon::tui
