#include "http/wire/stream_cursor.hpp"

#include <algorithm>
#include <charconv>

namespace andon::http {

std::optional<StreamCursor> parse_stream_cursor(std::string_view text) {
  StreamCursor out;
  if (auto const dot = text.find('.'); dot != std::string_view::npos) {
    out.incarnation = text.substr(0, dot);
    bool const plain = std::ranges::all_of(out.incarnation, [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
             c == '_';
    });
    if (dot == 0 || dot > 64 || !plain) return std::nullopt;
    text.remove_prefix(dot + 1);
  }
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.seq);
  if (error != std::errc{} || end != text.data() + text.size() || out.seq < 0) return std::nullopt;
  return out;
}

}  // namespace andon::http
