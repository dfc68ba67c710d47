#pragma once

#include <string>
#include <string_view>

namespace andon::core {

/// Lower case without `-`, `_` and spaces: `To Do`, `todo` and `to-do` are one name.
std::string folded(std::string_view name);
bool same_name(std::string_view a, std::string_view b);

/// Lower-case words joined by `-`, at most `longest` bytes, cut at a word: a branch or file name from a
/// title.
std::string slug(std::string_view title, std::size_t longest = 50);

/// Names of boards, workers and columns: 1–64 of letters, digits, `-`, `_`, `.`, starting with a letter or
/// digit.
bool is_name(std::string_view text);
/// The name of an agent profile: a name, or two joined by `@`, as in `claude@work`.
bool is_profile_name(std::string_view text);

/// Names of environment variables (POSIX.1-2024, Base Definitions, 3.216): letters, digits and `_`, not
/// starting with a digit.
bool is_variable_name(std::string_view text);

/// Whether one-line text holds something a terminal, a prompt or a reader could be fooled by: line ends, tabs
/// and what `holds_hidden` of core/visible_text.hpp finds.
bool is_unsafe_line(std::string_view text);

/// Whether text of several lines holds control characters beside line ends and tabs, or bytes that are not
/// UTF-8.
bool is_unsafe_text(std::string_view text);

/// Whether the bytes are strict UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// The beginning of valid UTF-8, at most `bytes` long and cut between characters.
std::string_view beginning(std::string_view text, std::size_t bytes);

/// The number of Unicode code points of valid UTF-8.
std::size_t length_in_characters(std::string_view text);

}  // namespace andon::core
