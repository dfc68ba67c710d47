#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::core {

/// Reads the words of a text one after the other, in the form in which a search compares them: small letters
/// without diacritics. Letters and digits make words. A very long word is cut.
class FoldedWords {
 public:
  /// The text must outlive the reader.
  explicit FoldedWords(std::string_view text) : text_(text) {}
  /// Moves to the next word; false at the end.
  bool next();

  std::string const& word() const { return word_; }
  /// The bytes of the text that the word comes from.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return at_; }

 private:
  bool take();

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t at_ = 0;
  std::string word_;
};

/// All words of a text, with a space between two.
std::string folded_words(std::string_view text);

}  // namespace andon::core
