#pragma once

#include <optional>
#include <string>

#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

enum class Colours { none, sixteen, palette, rgb };

/// The bytes that turn the screen `before` into `now` (ECMA-48 control sequences). Buffers of other sizes,
/// and no buffer before, repaint everything. Runs that did not change cost nothing. The cursor ends up at
/// `cursor` and is visible, or is hidden.
std::string painted(CellBuffer const* before, CellBuffer const& now, Colours colours,
                    std::optional<Point> cursor);

}  // namespace andon::tui
