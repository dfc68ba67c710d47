#pragma once

#include <string>
#include <string_view>

#include "core/text/cell_width.hpp"

namespace andon::cli {

/// The text in one line as a terminal may have it: `core::visible_line`.
std::string one_line(std::string_view text);
/// The text with its line ends and tabs as a terminal may have it: `core::visible_text`.
std::string many_lines(std::string_view text);

using core::cells;
using core::cut;
using core::padded;

}  // namespace andon::cli
