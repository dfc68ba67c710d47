#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::cli {

/// The text in one line as a terminal may have it: `core::visible_line`.
std::string one_line(std::string_view text);
/// The text with its line ends and tabs as a terminal may have it: `core::visible_text`.
std::string many_lines(std::string_view text);

/// The width of the text in cells of a terminal: 2 for East Asian wide characters, 0 for combining ones.
std::size_t cells(std::string_view text);
/// The text cut to so many cells, ending in `...` where something was cut.
std::string cut(std::string_view text, std::size_t most);
/// The text with blanks up to so many cells.
std::string padded(std::string text, std::size_t width);

}  // namespace andon::cli
