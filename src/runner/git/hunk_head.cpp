#include "runner/git/hunk_head.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace andon::runner {
namespace {

/// Reads a sign and `12,3` or `12` behind it, and takes them away from the text.
std::optional<LineRange> take_range(std::string_view& text, std::string_view sign) {
  if (!text.starts_with(sign)) return std::nullopt;
  text.remove_prefix(sign.size());
  LineRange out;
  auto const* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, out.first);
  if (read.ec != std::errc{}) return std::nullopt;
  if (read.ptr != end && *read.ptr == ',') read = std::from_chars(read.ptr + 1, end, out.count);
  if (read.ec != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return out;
}

}  // namespace

std::optional<HunkHead> hunk_head(std::string_view line) {
  auto const signs = std::min(line.find_first_not_of('@'), line.size());
  if (signs < 2) return std::nullopt;
  HunkHead out;
  auto rest = line.substr(signs);
  for (std::size_t parent = 1; parent < signs; ++parent) {
    auto const before = take_range(rest, " -");
    if (!before) return std::nullopt;
    out.before.push_back(*before);
  }
  auto const after = take_range(rest, " +");
  if (!after) return std::nullopt;
  out.after = *after;
  return out;
}

}  // namespace andon::runner
