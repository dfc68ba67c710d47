#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

/// An amount of memory or disk in bytes, written as `4GiB`.
struct ByteSize {
  std::int64_t bytes = 0;
  auto operator<=>(ByteSize const&) const = default;
};

/// With the largest unit that divides it, so that `parse_bytes` reads the same amount.
std::string to_text(ByteSize size);
/// A number of bytes, or one with K, M, G or T for powers of 1024, such as `512M`, `4G` or `4GiB`; nothing
/// for another text.
std::optional<ByteSize> parse_bytes(std::string_view text);
/// Rounded for people, as in `4.2 GiB`.
std::string rounded(ByteSize size);

}  // namespace andon::core
