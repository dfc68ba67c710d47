#pragma once

#include "tui/model/model.hpp"

namespace andon::tui {

/// A click selects, a second one within half a second opens, a drag moves to another column, the wheel goes
/// through a column or scrolls a page, a click on the last row of a page goes back.
void use_mouse(Model& model, MouseEvent const& event, Effects& effects);

}  // namespace andon::tui
