#include "runner/secrets/keyword_finder.hpp"

#include "core/text/ascii.hpp"

namespace andon::runner {

KeywordFinder::KeywordFinder(std::vector<std::string> const& words) {
  number_letters(words);
  add_state();
  for (std::uint32_t i = 0; i < words.size(); ++i) add_word(words[i], i);
  link_suffixes();
}

void KeywordFinder::number_letters(std::vector<std::string> const& words) {
  for (auto const& word : words)
    for (char const c : word)
      if (auto& letter = letter_[place_of(c)]; letter == 0) letter = static_cast<std::uint16_t>(letters_++);
  for (char c = 'A'; c <= 'Z'; ++c) letter_[place_of(c)] = letter_[place_of(core::ascii_lower(c))];
}

std::uint32_t KeywordFinder::add_state() {
  next_.resize(next_.size() + letters_, kNone);
  words_of_.emplace_back();
  return static_cast<std::uint32_t>(words_of_.size() - 1);
}

void KeywordFinder::add_word(std::string const& word, std::uint32_t number) {
  std::uint32_t state = 0;
  for (char const c : word) {
    auto const edge = state * letters_ + letter_[place_of(c)];
    if (next_[edge] == kNone) {
      auto const made = add_state();
      next_[edge] = made;
    }
    state = next_[edge];
  }
  words_of_[state].push_back(number);
  sizes_.push_back(word.size());
}

void KeywordFinder::link_suffixes() {
  std::vector<std::uint32_t> suffix(words_of_.size(), 0);
  ends_.assign(words_of_.size(), kNone);
  ends_of_suffix_.assign(words_of_.size(), kNone);
  std::vector<std::uint32_t> order{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const state = order[i];
    ends_of_suffix_[state] = state == 0 ? kNone : ends_[suffix[state]];
    ends_[state] = words_of_[state].empty() ? ends_of_suffix_[state] : state;
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      auto& to = next_[state * letters_ + letter];
      auto const other = state == 0 ? 0 : next_[suffix[state] * letters_ + letter];
      if (to == kNone) {
        to = other;
        continue;
      }
      suffix[to] = other;
      order.push_back(to);
    }
  }
}

}  // namespace andon::runner
