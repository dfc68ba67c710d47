#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::runner {

/// The bytes as valid UTF-8: what is not becomes U+FFFD.
std::string as_utf8(std::string_view bytes);

/// At most so many bytes of valid UTF-8 from the front, or from the back, never half a character.
std::string_view head(std::string_view text, std::size_t longest);
std::string_view tail(std::string_view text, std::size_t longest);

/// The head, with a note of how much was left out.
std::string shortened(std::string_view text, std::size_t longest);

}  // namespace andon::runner
