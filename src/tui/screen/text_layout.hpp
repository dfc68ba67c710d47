#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace andon::tui {

/// Breaks text into lines of at most `width` cells, at blanks where it can. Line ends in the text stay, so
/// that an empty text is one empty line. Hidden characters are written as `core::visible_text` does, a tab as
/// blanks. At most `most` lines; where something is cut, the last ends in `…`. A width below 1 counts as 1.
std::vector<std::string> wrapped(std::string_view text, int width, std::size_t most = 1U << 20U);

/// The text cut to so many cells, with one cell that says so.
std::string shortened(std::string_view text, int most);
/// Parts with two blanks between them, as many as fit. The last part stays, and those before it go first.
std::string fitting(std::string_view parts, int most);

}  // namespace andon::tui
