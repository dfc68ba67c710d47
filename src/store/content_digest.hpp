#pragma once

#include <string>
#include <string_view>

namespace andon::store {

/// The SHA-256 of a text that the store keeps, as lower-case hex digits.
std::string content_digest(std::string_view text);

}  // namespace andon::store
