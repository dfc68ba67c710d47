#include "reflect/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace andon::reflect {
namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::size_t kSeparatorBytes = 3;

void put_character(std::string& out, std::uint32_t point) {
  auto const put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0U | point >> 6U);
  } else if (point < 0x10000) {
    put(0xE0U | point >> 12U);
    put(0x80U | (point >> 6U & 0x3FU));
  } else {
    put(0xF0U | point >> 18U);
    put(0x80U | (point >> 12U & 0x3FU));
    put(0x80U | (point >> 6U & 0x3FU));
  }
  put(0x80U | (point & 0x3FU));
}

struct Escape {
  char letter;
  std::uint32_t point;
};
constexpr std::array kEscapes{Escape{'0', 0},      Escape{'a', 7},     Escape{'b', 8},    Escape{'t', 9},
                              Escape{'\t', 9},     Escape{'n', 10},    Escape{'v', 11},   Escape{'f', 12},
                              Escape{'r', 13},     Escape{'e', 27},    Escape{' ', ' '},  Escape{'"', '"'},
                              Escape{'/', '/'},    Escape{'\\', '\\'}, Escape{'N', 0x85}, Escape{'_', 0xA0},
                              Escape{'L', 0x2028}, Escape{'P', 0x2029}};

constexpr bool is_first_surrogate(std::uint32_t point) { return point >= 0xD800 && point < 0xDC00; }
constexpr bool is_second_surrogate(std::uint32_t point) { return point >= 0xDC00 && point < 0xE000; }

/// Reads one scalar from its first byte to its last.
class Scalar {
 public:
  Scalar(std::string_view bytes, YamlQuotes quotes) : bytes_(bytes), quotes_(quotes) {}

  std::optional<std::string> read() {
    while (at_ < bytes_.size())
      if (!take()) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool take() {
    char const c = bytes_[at_];
    if (c == '\n' || c == '\r') return fold(), true;
    if (c == '\\' && quotes_ == YamlQuotes::double_quotes) return take_escape();
    if (quotes_ == YamlQuotes::single_quotes && is_at_separator()) return take_separator(), true;
    at_ += c == '\'' && quotes_ == YamlQuotes::single_quotes && bytes_.substr(at_, 2) == "''" ? 2 : 1;
    out_ += c;
    return true;
  }

  /// U+2028 and U+2029. go-yaml writes them as they are between single quotes only, and its indentation after
  /// them; texts that have blanks there it writes between double quotes.
  bool is_at_separator() const {
    auto const next = bytes_.substr(at_, kSeparatorBytes);
    return next == "\u2028" || next == "\u2029";
  }
  void take_separator() {
    out_ += bytes_.substr(at_, kSeparatorBytes);
    at_ += kSeparatorBytes;
    pass_blanks();
  }

  void pass_line_end() { at_ += bytes_.substr(at_, 2) == "\r\n" ? 2 : 1; }
  void pass_blanks() { at_ = std::min(bytes_.find_first_not_of(kBlank, at_), bytes_.size()); }
  bool is_at_line_end() const { return at_ < bytes_.size() && (bytes_[at_] == '\n' || bytes_[at_] == '\r'); }

  /// One line end is a blank; of several all but the first stay.
  void fold() {
    while (out_.size() > escaped_ && kBlank.contains(out_.back())) out_.pop_back();
    pass_line_end();
    pass_blanks();
    if (!is_at_line_end()) out_ += ' ';
    pass_empty_lines();
  }

  void pass_empty_lines() {
    for (; is_at_line_end(); pass_blanks()) {
      out_ += '\n';
      pass_line_end();
    }
  }

  bool take_escape() {
    ++at_;
    if (at_ == bytes_.size()) return false;
    if (is_at_line_end()) {
      pass_line_end();
      pass_blanks();
      pass_empty_lines();
    } else if (auto const* known = std::ranges::find(kEscapes, bytes_[at_], &Escape::letter);
               known != kEscapes.end()) {
      ++at_;
      put_character(out_, known->point);
    } else if (!take_code()) {
      return false;
    }
    escaped_ = out_.size();
    return true;
  }

  /// Two codes of UTF-16 say one character, as in JSON.
  bool take_code() {
    auto point = code();
    if (point && is_first_surrogate(*point) && bytes_.substr(at_, 2) == "\\u") {
      ++at_;
      auto const second = code();
      if (!second || !is_second_surrogate(*second)) return false;
      point = 0x10000 + ((*point - 0xD800) << 10U) + (*second - 0xDC00);
    }
    if (!point || *point > 0x10FFFF || (*point >= 0xD800 && *point < 0xE000)) return false;
    put_character(out_, *point);
    return true;
  }

  std::optional<std::uint32_t> code() {
    auto const digits = bytes_[at_] == 'x' ? 2U : bytes_[at_] == 'u' ? 4U : bytes_[at_] == 'U' ? 8U : 0U;
    auto const text = bytes_.substr(at_ + 1, digits);
    std::uint32_t out = 0;
    auto const parsed = std::from_chars(text.data(), text.data() + text.size(), out, 16);
    if (digits == 0 || text.size() != digits || parsed.ptr != text.data() + digits) return std::nullopt;
    at_ += 1 + digits;
    return out;
  }

  std::string_view bytes_;
  YamlQuotes quotes_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t escaped_ = 0;  ///< up to here blanks are no blanks at a line's end
};

}  // namespace

std::optional<std::string> text_of_scalar(std::string_view bytes, YamlQuotes quotes) {
  return Scalar{bytes, quotes}.read();
}

}  // namespace andon::reflect
