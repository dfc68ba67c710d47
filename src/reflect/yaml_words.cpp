#include "reflect/yaml_words.hpp"

#include <algorithm>

#include "reflect/yaml_scalar.hpp"

namespace andon::reflect {
namespace {

bool ends_plain(YamlCursor const& cursor, bool in_brackets) {
  char const c = cursor.peek();
  if (c == '\0' || is_yaml_line_end(c) || cursor.is_at_colon(in_brackets)) return true;
  return (c == '#' && is_yaml_gap(cursor.last())) || (in_brackets && is_yaml_bracket(c));
}

/// Passes the words of one line.
void pass_words(YamlCursor& cursor, bool in_brackets) {
  auto end = cursor.at();
  for (; !ends_plain(cursor, in_brackets); cursor.skip(1))
    if (!is_yaml_blank(cursor.peek())) end = cursor.at() + 1;
  cursor.go_to(end);
}

std::size_t pass_spaces(YamlCursor& cursor, std::size_t most) {
  std::size_t spaces = 0;
  for (; spaces < most && cursor.peek() == ' '; ++spaces) cursor.skip(1);
  return spaces;
}

/// Goes to the next line that continues a text; false when there is none.
bool go_on(YamlCursor& cursor, YamlIndent around, bool in_brackets) {
  cursor.pass_blanks();
  if (!is_yaml_line_end(cursor.peek())) return false;
  int spaces = 0;
  while (is_yaml_line_end(cursor.peek())) {
    cursor.pass_line_end();
    if (cursor.is_at_mark()) return false;
    spaces = static_cast<int>(pass_spaces(cursor, cursor.text().size()));
    cursor.pass_blanks();
  }
  if (cursor.is_at_end() || cursor.peek() == '#') return false;
  return in_brackets ? !ends_plain(cursor, true) : spaces > around;
}

YamlNode scalar_at(YamlCursor& cursor) {
  YamlNode out;
  out.place = cursor.place();
  out.begin = cursor.at();
  return out;
}

/// The line behind `|` or `>`.
struct Header {
  bool folds = false;
  char chomping = 0;
  int deeper = 0;  ///< than the value around; 0 when the first line says it
};

YamlRead<Header> scan_header(YamlCursor& cursor, YamlNode& node) {
  Header out{.folds = cursor.peek() == '>'};
  cursor.skip(1);
  for (int i = 0; i < 2; ++i) {
    char const c = cursor.peek();
    if (out.deeper == 0 && c >= '1' && c <= '9')
      out.deeper = c - '0';
    else if (out.chomping == 0 && (c == '+' || c == '-'))
      out.chomping = c;
    else
      break;
    cursor.skip(1);
  }
  node.end = cursor.at();
  cursor.pass_blanks();
  if (cursor.peek() == '#' && is_yaml_blank(cursor.last())) cursor.pass_line();
  if (!is_yaml_gap(cursor.peek()))
    return std::unexpected(
        YamlFault{cursor.at(), "a text of several lines begins on the line behind its mark"});
  cursor.pass_line_end();
  return out;
}

/// The indentation that the first line with words has. `cursor` is a copy.
YamlRead<std::size_t> indent_of(YamlCursor cursor, YamlIndent around) {
  std::size_t deepest = 0, spaces = 0;
  while (true) {
    spaces = pass_spaces(cursor, cursor.text().size());
    if (!is_yaml_line_end(cursor.peek())) break;
    deepest = std::max(deepest, spaces);
    cursor.pass_line_end();
  }
  auto const least = static_cast<std::size_t>(around + 1);
  if (cursor.is_at_end()) return std::max({deepest, spaces, least});
  if (spaces < least) return std::max(deepest, least);
  if (deepest > spaces)
    return std::unexpected(YamlFault{cursor.at(), "a blank line before the text is indented deeper than it"});
  return spaces;
}

/// Puts the lines of a block together.
class Block {
 public:
  explicit Block(Header header) : header_(header) {}

  void add_empty() { ++empty_; }
  void add(std::string_view line) {
    bool const loose = is_yaml_blank(line.front());
    bool const folded = header_.folds && has_lines_ && !loose && !was_loose_;
    if (folded && empty_ == 0) out_ += ' ';
    if (has_lines_ && !folded) out_ += '\n';
    out_.append(empty_, '\n');
    out_ += line;
    has_lines_ = true;
    was_loose_ = loose;
    empty_ = 0;
  }
  /// `ended` says that the last line has an end, which only `+` asks for.
  std::string finish(bool ended) {
    bool const ends = header_.chomping == '+' ? ended : header_.chomping == 0;
    if (ends && has_lines_) out_ += '\n';
    if (header_.chomping == '+') out_.append(empty_, '\n');
    return std::move(out_);
  }

 private:
  Header header_;
  std::string out_;
  std::size_t empty_ = 0;  ///< lines since the last one with words
  bool has_lines_ = false;
  bool was_loose_ = false;  ///< the last line began with a blank
};

}  // namespace

YamlNode scan_plain(YamlCursor& cursor, YamlIndent around, bool in_brackets) {
  auto out = scalar_at(cursor);
  out.plain = true;
  while (true) {
    pass_words(cursor, in_brackets);
    auto ahead = cursor;
    if (!go_on(ahead, around, in_brackets)) break;
    cursor = ahead;
  }
  out.end = cursor.at();
  out.text = *text_of_scalar(cursor.text().substr(out.begin, out.end - out.begin), YamlQuotes::none);
  return out;
}

YamlRead<YamlNode> scan_quoted(YamlCursor& cursor) {
  auto out = scalar_at(cursor);
  char const quote = cursor.peek();
  cursor.skip(1);
  while (cursor.peek() != quote || (quote == '\'' && cursor.peek(1) == quote)) {
    if (cursor.is_at_end()) return std::unexpected(YamlFault{out.begin, "the quotes are never closed"});
    if (is_yaml_line_end(cursor.peek())) {
      cursor.pass_line_end();
      if (cursor.is_at_mark())
        return std::unexpected(YamlFault{cursor.at(), "the document ends within quotes"});
      continue;
    }
    bool const two = cursor.peek() == quote || (quote == '"' && cursor.peek() == '\\' &&
                                                !is_yaml_line_end(cursor.peek(1)) && cursor.peek(1) != '\0');
    cursor.skip(two ? 2 : 1);
  }
  cursor.skip(1);
  out.end = cursor.at();
  auto text = text_of_scalar(cursor.text().substr(out.begin + 1, out.end - out.begin - 2),
                             quote == '"' ? YamlQuotes::double_quotes : YamlQuotes::single_quotes);
  if (!text) return std::unexpected(YamlFault{out.begin, "an escape in the text says no character"});
  out.text = *std::move(text);
  return out;
}

YamlRead<YamlNode> scan_block(YamlCursor& cursor, YamlIndent around) {
  auto out = scalar_at(cursor);
  ANDON_TRY(auto const header, scan_header(cursor, out));
  auto indent = static_cast<std::size_t>(std::max(around, 0) + header.deeper);
  if (header.deeper == 0) {
    ANDON_TRY(indent, indent_of(cursor, around));
  }
  Block block(header);
  while (!cursor.is_at_end() && !cursor.is_at_mark()) {
    auto line = cursor;
    auto const spaces = pass_spaces(line, indent);
    if (!is_yaml_line_end(line.peek()) && (spaces < indent || line.is_at_end())) break;
    auto const begin = line.at();
    line.pass_line();
    auto const words = line.text().substr(begin, line.at() - begin);
    if (words.empty())
      block.add_empty();
    else
      block.add(words);
    if (auto const last = words.find_last_not_of(" \t"); last != std::string_view::npos)
      out.end = begin + last + 1;
    line.pass_line_end();
    cursor = line;
  }
  out.text = block.finish(cursor.column() == 0);
  return out;
}

}  // namespace andon::reflect
