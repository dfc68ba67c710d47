#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace andon::cli {

/// One code point of a text, or one byte that is not UTF-8.
struct Point {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = true;
};
Point first_point(std::string_view text);

/// Whether a terminal would act on the code point, or a reader be fooled by it: control and bidirectional
/// characters.
bool is_hostile(std::uint32_t point);

/// The text in one line as a terminal may have it: what is hostile is written as an escape (`\n`, `\x1b`,
/// `\u202e`).
std::string one_line(std::string_view text);
/// The same, but line ends and tabs stay.
std::string many_lines(std::string_view text);

/// How many cells of a terminal the text takes: East Asian wide characters two, combining ones none.
std::size_t cells(std::string_view text);
/// The text cut to so many cells, ending in `...` where something was cut.
std::string cut(std::string_view text, std::size_t most);
/// The text with blanks up to so many cells.
std::string padded(std::string text, std::size_t width);

}  // namespace andon::cli
