#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace andon::runner {

/// Finds many words in a text in one pass, whatever their case, by the automaton of Aho and Corasick (1975).
class KeywordFinder {
 public:
  /// The words are in lower case and have no line end; their place in the list is their number.
  explicit KeywordFinder(std::vector<std::string> const& words);

  /// Calls `found(number, begin)` for each place of a word in the text, in the order of their ends.
  template <class Found>
  void search(std::string_view text, Found found) const {
    std::uint32_t state = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      state = next_[state * letters_ + letter_[place_of(text[at])]];
      if (ends_[state] == kNone) continue;
      for (auto end = ends_[state]; end != kNone; end = ends_of_suffix_[end])
        for (auto const word : words_of_[end]) found(word, at + 1 - sizes_[word]);
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  static std::size_t place_of(char c) { return static_cast<unsigned char>(c); }
  void number_letters(std::vector<std::string> const& words);
  std::uint32_t add_state();
  void add_word(std::string const& word, std::uint32_t number);
  void link_suffixes();

  std::array<std::uint16_t, 256> letter_{};  ///< of each byte; 0 for those in no word
  std::uint32_t letters_ = 1;
  std::vector<std::uint32_t> next_;  ///< the state after each letter, for each state
  std::vector<std::uint32_t> ends_;  ///< of each state, the longest suffix that is a word; itself first
  std::vector<std::uint32_t> ends_of_suffix_;  ///< the same of its longest proper suffix
  std::vector<std::vector<std::uint32_t>> words_of_;
  std::vector<std::size_t> sizes_;
};

}  // namespace andon::runner
