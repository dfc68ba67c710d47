#include "http/wire/stream_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/text/ascii.hpp"

namespace andon::http {

std::optional<StreamCursor> parse_stream_cursor(std::string_view text) {
  StreamCursor out;
  if (auto const dot = text.find('.'); dot != std::string_view::npos) {
    out.incarnation = text.substr(0, dot);
    bool const plain = std::ranges::all_of(
        out.incarnation, [](char c) { return core::is_ascii_alphanumeric(c) || c == '-' || c == '_'; });
    if (dot == 0 || dot > 64 || !plain) return std::nullopt;
    text.remove_prefix(dot + 1);
  }
  std::int64_t seq = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seq);
  if (error != std::errc{} || end != text.data() + text.size() || seq < 0) return std::nullopt;
  out.seq = core::EventSeq{seq};
  return out;
}

}  // namespace andon::http
