#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/id.hpp"

namespace andon::http {

/// A position in the history in the form of streams: `INCARNATION.SEQ`, or only the number.
struct StreamCursor {
  std::string incarnation;  ///< empty when not given
  core::EventSeq seq = 0;
};

/// Returns nothing when the text is no cursor.
std::optional<StreamCursor> parse_stream_cursor(std::string_view text);

}  // namespace andon::http
