#include "core/text/visible_text.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

struct CodePointRange {
  std::uint32_t first;
  std::uint32_t last;
};

/// Unicode's Default_Ignorable_Code_Point, and beside it the control characters (Cc), the line and paragraph
/// separators and the interlinear annotations. In rising order.
constexpr std::array kHidden{
    CodePointRange{0x0000, 0x001F},   CodePointRange{0x007F, 0x009F},   CodePointRange{0x00AD, 0x00AD},
    CodePointRange{0x034F, 0x034F},   CodePointRange{0x061C, 0x061C},   CodePointRange{0x115F, 0x1160},
    CodePointRange{0x17B4, 0x17B5},   CodePointRange{0x180B, 0x180F},   CodePointRange{0x200B, 0x200F},
    CodePointRange{0x2028, 0x202E},   CodePointRange{0x2060, 0x206F},   CodePointRange{0x3164, 0x3164},
    CodePointRange{0xFE00, 0xFE0F},   CodePointRange{0xFEFF, 0xFEFF},   CodePointRange{0xFFA0, 0xFFA0},
    CodePointRange{0xFFF0, 0xFFFB},   CodePointRange{0x1BCA0, 0x1BCA3}, CodePointRange{0x1D173, 0x1D17A},
    CodePointRange{0xE0000, 0xE0FFF},
};

/// White_Space beyond ASCII, and the blank of Braille.
constexpr std::array kBlank{
    CodePointRange{0x0020, 0x0020}, CodePointRange{0x00A0, 0x00A0}, CodePointRange{0x1680, 0x1680},
    CodePointRange{0x2000, 0x200A}, CodePointRange{0x202F, 0x202F}, CodePointRange{0x205F, 0x205F},
    CodePointRange{0x2800, 0x2800}, CodePointRange{0x3000, 0x3000},
};

/// Selectors that people's text is written with, and the characters that one of them may follow.
struct Selection {
  CodePointRange selectors;
  CodePointRange bases;
};
constexpr std::array kSelections{
    Selection{{0xFE0E, 0xFE0F}, {0x00A9, 0x10FFFF}},  // the text and the emoji form of a sign
    Selection{{0xFE0E, 0xFE0F}, {'0', '9'}},          // keycaps
    Selection{{0xFE0E, 0xFE0F}, {'#', '#'}},         Selection{{0xFE0E, 0xFE0F}, {'*', '*'}},
    Selection{{0x180B, 0x180D}, {0x1820, 0x18AA}},  // letters of Mongolian
    Selection{{0x180F, 0x180F}, {0x1820, 0x18AA}},
};

bool holds(CodePointRange const& range, std::uint32_t point) {
  return point >= range.first && point <= range.last;
}

template <class Table>
bool any_holds(Table const& table, std::uint32_t point) {
  return std::ranges::any_of(table, [&](CodePointRange const& range) { return holds(range, point); });
}

bool is_ignorable(std::uint32_t point) {
  auto const after = std::ranges::upper_bound(kHidden, point, {}, &CodePointRange::first);
  return after != kHidden.begin() && point <= std::prev(after)->last;
}

bool is_selector_of(std::uint32_t point, std::uint32_t base) {
  return std::ranges::any_of(kSelections, [&](Selection const& row) {
    return holds(row.selectors, point) && holds(row.bases, base) && !holds(row.selectors, base);
  });
}

bool is_joiner(std::uint32_t point) { return point == 0x200C || point == 0x200D; }
bool is_layout(std::uint32_t point) { return point == '\n' || point == '\t'; }

std::string hex(std::uint32_t value, std::size_t least, std::string_view digits) {
  std::string out;
  for (; value != 0 || out.size() < least; value >>= 4U) out.insert(out.begin(), digits[value & 15U]);
  return out;
}

std::string written(CharacterReader::Step const& step) {
  auto const point = step.character.point;
  if (step.character.is_valid && point > 0x7F) return "[U+" + hex(point, 4, "0123456789ABCDEF") + "]";
  return "\\x" + hex(point, 2, "0123456789abcdef");
}

/// True for nearly every text; such a text needs no change.
bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t'; });
}

}  // namespace

Character first_character(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::uint32_t const first = byte(0);
  if (first < 0x80) return {first, 1, true};
  std::size_t const n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  Character const wrong{first, 1, false};
  if (first < 0xC2 || first > 0xF4 || text.size() < n) return wrong;
  std::uint32_t point = first & (0xFFU >> (n + 1));
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return wrong;
    point = point << 6U | (byte(i) & 0x3FU);
  }
  bool const is_overlong = (n == 3 && point < 0x800) || (n == 4 && point < 0x10000);
  if (is_overlong || (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF) return wrong;
  return {point, n, true};
}

bool CharacterReader::is_hidden(Character const& character) const {
  auto const point = character.point;
  if (!character.is_valid) return true;
  if (!is_ignorable(point) || is_layout(point)) return false;
  auto const after = rest_.substr(character.bytes);
  if (point == '\r') return !after.starts_with('\n');
  if (is_selector_of(point, before_)) return false;
  if (!is_joiner(point) || before_ < 0x80 || is_joiner(before_) || after.empty()) return true;
  auto const joined = first_character(after);
  return !joined.is_valid || joined.point < 0x80 || is_ignorable(joined.point);
}

CharacterReader::Step CharacterReader::next() {
  auto const character = first_character(rest_);
  Step const step{rest_.substr(0, character.bytes), character, is_hidden(character)};
  before_ = step.is_hidden ? 0 : character.point;
  rest_.remove_prefix(character.bytes);
  return step;
}

bool holds_hidden(std::string_view text) {
  if (is_plain_ascii(text)) return false;
  for (CharacterReader reader{text}; !reader.at_end();)
    if (reader.next().is_hidden) return true;
  return false;
}

bool is_blank(std::string_view text) {
  for (CharacterReader reader{text}; !reader.at_end();) {
    auto const point = reader.next().character.point;
    if (!is_ignorable(point) && !any_holds(kBlank, point)) return false;
  }
  return true;
}

std::string visible_text(std::string_view text) {
  if (is_plain_ascii(text)) return std::string{text};
  std::string out;
  out.reserve(text.size());
  for (CharacterReader reader{text}; !reader.at_end();) {
    auto const step = reader.next();
    if (step.is_hidden)
      out += written(step);
    else
      out += step.bytes;
  }
  return out;
}

std::string visible_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (CharacterReader reader{text}; !reader.at_end();) {
    auto const step = reader.next();
    auto const point = step.character.point;
    if (point == '\n')
      out += "\\n";
    else if (point == '\t')
      out += "\\t";
    else if (step.is_hidden || point == '\r')
      out += written(step);
    else
      out += step.bytes;
  }
  return out;
}

std::string keepable_text(std::string text) {
  constexpr std::string_view kReplacementText = "\xef\xbf\xbd";
  std::string out;
  bool is_changed = false;
  for (std::string_view rest = text; !rest.empty();) {
    auto const character = first_character(rest);
    bool const is_kept = character.is_valid && character.point != 0;
    out += is_kept ? rest.substr(0, character.bytes) : kReplacementText;
    is_changed = is_changed || !is_kept;
    rest.remove_prefix(character.bytes);
  }
  return is_changed ? out : text;
}

}  // namespace andon::core
