#pragma once

#include <string>

#include "tui/screen/painter.hpp"

namespace andon::tui {

/// The control sequence that selects exactly this style (SGR), with the nearest colours that the terminal
/// has.
std::string sgr(Style const& style, Colours colours);

}  // namespace andon::tui
