#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace andon::os {

using Sha256 = std::array<std::byte, 32>;

Sha256 sha256(std::string_view data);
/// A message authentication code (RFC 2104). It proves that its author had the key, which has at most 64
/// bytes.
Sha256 hmac_sha256(std::string_view key, std::string_view data);
/// Returns lower-case hex digits.
std::string hex(std::span<std::byte const> data);
/// Compares secrets in a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace andon::os
