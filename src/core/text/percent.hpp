#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

/// Escapes every byte but the unreserved characters (RFC 3986, section 2.3), with capital digits.
std::string percent_encoded(std::string_view text);
/// The reverse. Nothing for an incomplete escape, for an escaped control character, and for what is not UTF-8
/// afterwards.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace andon::core
