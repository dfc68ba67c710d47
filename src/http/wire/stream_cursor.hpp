#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace andon::http {

/// A position in the history in the form of streams: `INCARNATION.SEQ`, or only the number.
struct StreamCursor {
  std::string incarnation;  ///< empty when not given
  std::int64_t seq = 0;
};

/// Returns nothing when the text is no cursor.
std::optional<StreamCursor> parse_stream_cursor(std::string_view text);

}  // namespace andon::http
