#include "cli/command_line/safe_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/text/visible_text.hpp"

namespace andon::cli {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

/// Combining marks and joiners (Unicode general categories Mn, Me and Cf, the scripts in wide use).
constexpr std::array kNarrowest{
    Range{0x0300, 0x036F},   Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},   Range{0x0610, 0x061A},
    Range{0x064B, 0x065F},   Range{0x0900, 0x0902}, Range{0x093C, 0x093C},   Range{0x0941, 0x0948},
    Range{0x094D, 0x094D},   Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A},   Range{0x0E47, 0x0E4E},
    Range{0x1AB0, 0x1AFF},   Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200F},   Range{0x2060, 0x2064},
    Range{0x20D0, 0x20FF},   Range{0x302A, 0x302D}, Range{0x3099, 0x309A},   Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F},   Range{0xFEFF, 0xFEFF}, Range{0x1F3FB, 0x1F3FF}, Range{0xE0020, 0xE007F},
    Range{0xE0100, 0xE01EF},
};

/// East Asian Width W and F (Unicode Annex 11), and the emoji that terminals draw wide.
constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x23E9, 0x23EC},   Range{0x25FD, 0x25FE},
    Range{0x2614, 0x2615},   Range{0x2648, 0x2653},   Range{0x26A1, 0x26A1},   Range{0x26BD, 0x26BE},
    Range{0x26D4, 0x26D4},   Range{0x2705, 0x2705},   Range{0x270A, 0x270B},   Range{0x2728, 0x2728},
    Range{0x274C, 0x274C},   Range{0x2753, 0x2757},   Range{0x2795, 0x2797},   Range{0x2B1B, 0x2B1C},
    Range{0x2B50, 0x2B50},   Range{0x2B55, 0x2B55},   Range{0x2E80, 0x303E},   Range{0x3041, 0x4DBF},
    Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},
    Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F1E6, 0x1F1FF},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F7E0, 0x1F7EB}, Range{0x1F900, 0x1F9FF},
    Range{0x1FA70, 0x1FAFF}, Range{0x20000, 0x3FFFD},
};

template <class Table>
bool holds(Table const& table, std::uint32_t point) {
  auto const after = std::ranges::upper_bound(table, point, {}, &Range::first);
  return after != table.begin() && point <= std::prev(after)->last;
}

std::size_t cells_of(std::uint32_t point) {
  if (point < 0x300) return 1;
  if (holds(kNarrowest, point)) return 0;
  return holds(kWide, point) ? 2 : 1;
}

}  // namespace

std::string one_line(std::string_view text) { return core::visible_line(text); }
std::string many_lines(std::string_view text) { return core::visible_text(text); }

std::size_t cells(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    auto const next = core::first_character(text);
    sum += cells_of(next.point);
    text.remove_prefix(next.bytes);
  }
  return sum;
}

std::string cut(std::string_view text, std::size_t most) {
  constexpr std::string_view kMark = "...";
  if (cells(text) <= most) return std::string{text};
  std::size_t used = 0, end = 0;
  while (end < text.size()) {
    auto const next = core::first_character(text.substr(end));
    if (used + cells_of(next.point) + kMark.size() > most) break;
    used += cells_of(next.point);
    end += next.bytes;
  }
  return std::string{text.substr(0, end)} + std::string{kMark};
}

std::string padded(std::string text, std::size_t width) {
  if (auto const used = cells(text); used < width) text.append(width - used, ' ');
  return text;
}

}  // namespace andon::cli
