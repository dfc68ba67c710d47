#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace andon::os {

/// Fills the bytes from the kernel's generator.
void random_bytes(std::span<std::byte> out);
/// Returns this many random bytes as lower-case hex digits.
std::string random_hex(std::size_t bytes);
/// A random UUID (version 4).
std::string random_uuid();

}  // namespace andon::os
