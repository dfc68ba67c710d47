#pragma once

#include <cstddef>
#include <string_view>

namespace andon::store::markdown {

/// One line of a text: where it begins, where its line end begins, and where the next line begins.
struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t next = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// The line that begins at `at`; its end is before `\n` or `\r\n`.
Line line_at(std::string_view text, std::size_t at);

/// Where a scalar, or a list or map in brackets, ends that begins at `at`: behind its last mark, before
/// blanks and a comment. `npos` when it goes on beyond the line or is a block of lines.
std::size_t end_of_value(std::string_view text, std::size_t at);

}  // namespace andon::store::markdown
