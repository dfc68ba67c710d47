#include "core/text/folded_words.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utf8proc.h>

#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"

namespace andon::core {
namespace {

using Point = utf8proc_int32_t;

constexpr std::size_t kLongestWord = 512;

bool is_diacritic(Point point) { return point >= 0x300 && point <= 0x36F; }

bool is_of_word(Point point) {
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_CO: return true;
    default: return false;
  }
}

/// The letter without its diacritics. Marks that are no diacritics stay, as those of kana do.
Point plain(Point point) {
  std::array<Point, 8> parts{};
  int boundary = 0;
  auto const count =
      utf8proc_decompose_char(point, parts.data(), parts.size(), UTF8PROC_DECOMPOSE, &boundary);
  if (count < 2 || count > std::ssize(parts)) return point;
  auto const marks = std::span{parts}.subspan(1, static_cast<std::size_t>(count) - 1);
  return std::ranges::all_of(marks, is_diacritic) ? parts[0] : point;
}

void put_plain(std::string& out, Point point) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  auto const size = utf8proc_encode_char(utf8proc_tolower(plain(utf8proc_tolower(point))), bytes.data());
  out.append(reinterpret_cast<char const*>(bytes.data()), static_cast<std::size_t>(size));
}

}  // namespace

/// Takes one character into the word; false for one that ends it.
bool FoldedWords::take() {
  auto const character = first_character(text_.substr(at_));
  auto const point = static_cast<Point>(character.point);
  bool const is_ascii = character.point < 0x80, is_mark = is_diacritic(point);
  bool const is_taken =
      is_ascii ? is_ascii_alphanumeric(text_[at_]) : character.is_valid && (is_mark || is_of_word(point));
  if (!is_taken) return false;
  bool const is_kept = word_.size() < kLongestWord && !is_mark;
  if (is_kept && is_ascii) word_ += ascii_lower(text_[at_]);
  if (is_kept && !is_ascii) put_plain(word_, point);
  at_ += character.bytes;
  return true;
}

bool FoldedWords::next() {
  word_.clear();
  while (at_ < text_.size()) {
    begin_ = at_;
    while (at_ < text_.size() && take()) continue;
    if (!word_.empty()) return true;
    if (at_ == begin_) ++at_;
  }
  return false;
}

std::string folded_words(std::string_view text) {
  std::string out;
  for (FoldedWords words{text}; words.next();) out.append(out.empty() ? "" : " ").append(words.word());
  return out;
}

}  // namespace andon::core
