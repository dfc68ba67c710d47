#pragma once

#include <cstddef>
#include <string_view>

namespace andon::store::markdown {

/// The place of something that is not there.
inline constexpr auto kNowhere = std::string_view::npos;

/// One line of a text: its beginning, the beginning of its line end, and the beginning of the next line.
struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t next = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// The line that begins at `at`. Its end is before `\n` or `\r\n`.
Line line_at(std::string_view text, std::size_t at);

/// The end of the value that begins at `at`, a scalar or a list or map in brackets: behind its last
/// character, before blanks and a comment. `npos` when the value continues on the next line or is a block of
/// lines.
std::size_t end_of_value(std::string_view text, std::size_t at);

}  // namespace andon::store::markdown
