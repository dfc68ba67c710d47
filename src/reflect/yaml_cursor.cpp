#include "reflect/yaml_cursor.hpp"

#include <algorithm>

namespace andon::reflect {

YamlCursor::YamlCursor(std::string_view text) : text_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) at_ = line_ = counted_ = kByteOrderMark.size();
}

bool YamlCursor::is_first() const {
  auto at = line_;
  while (at < at_ && is_yaml_blank(text_[at])) ++at;
  return at == at_;
}

bool YamlCursor::is_at_mark() const {
  if (column() != 0 || (peek() != '-' && peek() != '.')) return false;
  return peek(1) == peek() && peek(2) == peek() && is_yaml_gap(peek(3));
}

bool YamlCursor::is_at_colon(bool in_brackets) const {
  return peek() == ':' && (is_yaml_gap(peek(1)) || (in_brackets && is_yaml_bracket(peek(1))));
}

YamlPlace YamlCursor::place() {
  constexpr unsigned kContinues = 0x80, kTopBits = 0xC0;
  for (; counted_ < at_; ++counted_)
    if ((static_cast<unsigned char>(text_[counted_]) & kTopBits) != kContinues) ++characters_;
  return {number_, characters_ + 1};
}

void YamlCursor::pass_line_end() {
  if (is_at_end()) return;
  at_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
  line_ = counted_ = at_;
  characters_ = 0;
  ++number_;
}

void YamlCursor::pass_blanks() {
  while (is_yaml_blank(peek())) ++at_;
}

void YamlCursor::pass_line() { at_ = std::min(text_.find_first_of("\r\n", at_), text_.size()); }

void YamlCursor::to_content() {
  while (true) {
    pass_blanks();
    if (peek() == '#' && is_yaml_gap(last())) pass_line();
    if (!is_yaml_line_end(peek())) return;
    pass_line_end();
    if (is_at_mark()) return;
  }
}

}  // namespace andon::reflect
