#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace andon::http {

/// A place in the history as streams name it: `INCARNATION.SEQ`, or only the number.
struct StreamCursor {
  std::string incarnation;  ///< empty when it was not said
  std::int64_t seq = 0;
};

/// Nothing when the text is no cursor.
std::optional<StreamCursor> parse_stream_cursor(std::string_view text);

}  // namespace andon::http
