#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace andon::http {

/// With small letters for the capitals of ASCII: names of headers, hosts and schemes of credentials are
/// compared so (RFC 9110 §5.1).
inline std::string to_lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace andon::http
