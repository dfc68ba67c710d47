#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "reflect/yaml.hpp"

namespace andon::reflect {

/// A refusal at a byte of the text.
struct YamlFault {
  std::size_t at = 0;
  std::string message;
};
template <class T>
using YamlRead = std::expected<T, YamlFault>;

constexpr bool is_yaml_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_yaml_line_end(char c) { return c == '\n' || c == '\r'; }
/// The character behind an indicator; a zero is the end of the text.
constexpr bool is_yaml_gap(char c) { return is_yaml_blank(c) || is_yaml_line_end(c) || c == '\0'; }
constexpr bool is_yaml_bracket(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

/// A position in a text without zero bytes. It only moves on, and a copy of it looks ahead.
class YamlCursor {
 public:
  /// A byte order mark at the beginning is passed.
  explicit YamlCursor(std::string_view text);

  std::string_view text() const { return text_; }
  std::size_t at() const { return at_; }
  /// The byte here or behind; zero at the end.
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  char last() const { return at_ > line_ ? text_[at_ - 1] : '\n'; }
  bool is_at_end() const { return at_ >= text_.size(); }
  /// The bytes before this one on its line.
  int column() const { return static_cast<int>(at_ - line_); }
  /// Only blanks stand before this byte on its line.
  bool is_first() const;
  /// `---` or `...` at the beginning of a line.
  bool is_at_mark() const;
  /// `:` as the end of a key; in brackets a bracket or comma may follow it.
  bool is_at_colon(bool in_brackets) const;
  /// `-` or `?` that stands alone.
  bool is_at(char indicator) const { return peek() == indicator && is_yaml_gap(peek(1)); }
  /// Counts characters from the last place that was asked for, so that long lines cost one pass.
  YamlPlace place();

  void skip(std::size_t bytes) { at_ += bytes; }
  /// Goes to a byte of this line.
  void go_to(std::size_t at) { at_ = at; }
  void pass_line_end();
  void pass_blanks();
  void pass_line();
  /// Passes blanks, comments and line ends up to the next content, a mark of a document or the end.
  void to_content();

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;  ///< the first byte of the line
  int number_ = 1;        ///< of the line
  std::size_t counted_ = 0;
  int characters_ = 0;  ///< of the line up to `counted_`
};

}  // namespace andon::reflect
