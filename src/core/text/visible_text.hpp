#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace andon::core {

/// One character of a text, or one byte of it that is not strict UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
struct Character {
  std::uint32_t point = 0;
  std::size_t bytes = 1;
  bool is_valid = true;
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text);

/// The text with U+FFFD in place of zero bytes and of bytes that are not UTF-8, which not every database
/// keeps.
std::string keepable_text(std::string text);

/// Reads a text character by character and marks those that no reader sees: control characters other than
/// line ends and tabs, bidirectional controls, characters of no width, tags, selectors without a character
/// they select, and bytes that are not UTF-8. A joiner between two visible characters beyond ASCII is seen:
/// families of emoji and words of Persian or Hindi are spelled with it.
class CharacterReader {
 public:
  explicit CharacterReader(std::string_view text) : rest_(text) {}

  struct Step {
    std::string_view bytes;
    Character character;
    bool is_hidden = false;
  };
  bool at_end() const { return rest_.empty(); }
  /// The next character of a text that is not at its end.
  Step next();

 private:
  bool is_hidden(Character const& character) const;

  std::string_view rest_;
  std::uint32_t before_ = 0;  ///< the visible character just before, 0 after a hidden one
};

/// True for a text that holds a hidden character or byte.
bool holds_hidden(std::string_view text);

/// True for a text that shows nothing: it holds only white space, of any script, or hidden characters.
bool is_blank(std::string_view text);

/// The text for a reader: line ends and tabs stay, a hidden character is written as `[U+202E]`, an ASCII
/// control character as `\x1b`, a byte that is not UTF-8 as `\xff`.
std::string visible_text(std::string_view text);

/// The text for a reader in one line: a line end is written as `\n`, a tab as `\t`.
std::string visible_line(std::string_view text);

}  // namespace andon::core
