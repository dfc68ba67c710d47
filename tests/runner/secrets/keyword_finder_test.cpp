#include "runner/secrets/keyword_finder.hpp"

#include <map>
#include <set>

#include <doctest/doctest.h>

#include "core/text/ascii.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

using Places = std::set<std::pair<std::size_t, std::string>>;

Places places_in(std::vector<std::string> const& words, std::string const& text) {
  Places out;
  KeywordFinder{words}.search(text,
                              [&](std::uint32_t word, std::size_t at) { out.emplace(at, words[word]); });
  return out;
}

/// The words in a text, found by looking for each word alone.
Places expected_in(std::vector<std::string> const& words, std::string const& text) {
  Places out;
  auto const lower = core::ascii_lower(text);
  for (auto const& word : words)
    for (auto at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1))
      out.emplace(at, word);
  return out;
}

}  // namespace

TEST_CASE("KeywordFinder.FindsWordsWithinAndAcrossEachOther") {
  std::vector<std::string> const words{"he", "she", "his", "hers", "r", "e s"};
  for (std::string const text :
       {"ushers", "SHE said: hIs, herShe, he she", "", "h", "hhehehershishe s\xC3\xA4r\n"})
    CHECK(places_in(words, text) == expected_in(words, text));
}

TEST_CASE("KeywordFinder.AgreesWithAPlainSearch") {
  std::uint64_t state = 7;
  auto const text_of = [&](std::size_t size) {
    std::string out;
    while (out.size() < size)
      out += "abAc"[(state = state * 6364136223846793005U + 1442695040888963407U) >> 62U];
    return out;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < 8; ++i) words.push_back(core::ascii_lower(text_of(1 + i % 5)));
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    auto const text = text_of(100);
    CHECK(places_in(words, text) == expected_in(words, text));
  }
}
