#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace andon::os {

using Sha256 = std::array<std::byte, 32>;

Sha256 sha256(std::string_view data);
/// Proves that whoever made it knew the key (RFC 2104). The key is at most 64 bytes long.
Sha256 hmac_sha256(std::string_view key, std::string_view data);
/// Lower-case hex digits.
std::string hex(std::span<std::byte const> data);
/// Compares secrets in a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace andon::os
