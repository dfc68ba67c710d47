#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace andon::fuzz {

/// Takes the text up to the next NUL off the data.
inline std::string take_text(std::string_view& data) {
  auto const end = std::min(data.find('\0'), data.size());
  std::string out{data.substr(0, end)};
  data.remove_prefix(std::min(end + 1, data.size()));
  return out;
}

}  // namespace andon::fuzz
