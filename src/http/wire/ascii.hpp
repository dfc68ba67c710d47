#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace andon::http {

/// Converts ASCII capitals to small letters. Header names, hosts and schemes of credentials are compared in
/// this form (RFC 9110 §5.1).
inline std::string to_lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace andon::http
