#include "core/text/cell_width.hpp"

#include <algorithm>
#include <utf8proc.h>

#include "core/text/visible_text.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kMostBytes = 64;
constexpr std::uint32_t kReplacement = 0xFFFD;  // what a terminal draws for a wrong byte
constexpr std::uint32_t kEmojiSelector = 0xFE0F;

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

utf8proc_int32_t code(std::uint32_t point) { return static_cast<utf8proc_int32_t>(point); }

std::size_t cells_of(std::uint32_t point) {
  return static_cast<std::size_t>(std::max(utf8proc_charwidth(code(point)), 0));
}

bool is_break(std::uint32_t before, std::uint32_t after, utf8proc_int32_t& state) {
  return utf8proc_grapheme_break_stateful(code(before), code(after), &state);
}

/// Adds up the cells of a cluster. Joined emoji, flags and what is asked to look like an emoji take two.
class ClusterWidth {
 public:
  void add(std::uint32_t point) {
    bool const is_wide = point == kEmojiSelector && sum_ > 0;
    sum_ += is_wide ? 2 : cells_of(point);
  }
  std::size_t cells() const { return std::min<std::size_t>(sum_, 2); }

 private:
  std::size_t sum_ = 0;
};

}  // namespace

GraphemeCluster ClusterReader::next() {
  auto character = first_character(rest_);
  std::size_t kept = character.bytes, end = character.bytes;
  ClusterWidth width;
  width.add(character.is_valid ? character.point : kReplacement);
  utf8proc_int32_t state = 0;
  while (character.is_valid && end < rest_.size()) {
    auto const after = first_character(rest_.substr(end));
    if (!after.is_valid || is_break(character.point, after.point, state)) break;
    end += after.bytes;
    if (end <= kMostBytes) {
      width.add(after.point);
      kept = end;
    }
    character = after;
  }
  GraphemeCluster const cluster{rest_.substr(0, kept), width.cells()};
  rest_.remove_prefix(end);
  return cluster;
}

std::size_t cells(std::string_view text) {
  if (is_plain(text)) return text.size();
  std::size_t sum = 0;
  for (ClusterReader reader{text}; !reader.at_end();) sum += reader.next().cells;
  return sum;
}

std::string cut(std::string_view text, std::size_t most, std::string_view mark) {
  if (cells(text) <= most) return std::string{text};
  std::string out;
  std::size_t used = cells(mark);
  for (ClusterReader reader{text}; !reader.at_end();) {
    auto const cluster = reader.next();
    if (used + cluster.cells > most) break;
    used += cluster.cells;
    out += cluster.bytes;
  }
  return out.append(mark);
}

std::string padded(std::string text, std::size_t width) {
  if (auto const used = cells(text); used < width) text.append(width - used, ' ');
  return text;
}

}  // namespace andon::core
