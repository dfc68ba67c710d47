#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace andon::os {

/// The bytes of a text in Base64 with padding (RFC 4648 §4). Nothing when it is none.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace andon::os
