#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// The bytes as valid UTF-8; invalid bytes become U+FFFD.
std::string as_utf8(std::string_view bytes);

/// At most `longest` bytes of valid UTF-8 from the front or the back, without cutting a character.
std::string_view head(std::string_view text, std::size_t longest);
std::string_view tail(std::string_view text, std::size_t longest);

/// The words with commas between them.
std::string comma_list(std::vector<std::string> const& words);

/// The head, with a note of the number of omitted bytes.
std::string shortened(std::string_view text, std::size_t longest);

}  // namespace andon::runner
