#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace andon::fuzz {

/// Changes a YAML text so that it stays UTF-8: a text that is refused for its bytes tries nothing of a
/// parser.
class YamlMutation {
 public:
  explicit YamlMutation(unsigned seed) : random_(seed) {}

  std::size_t change(std::uint8_t* data, std::size_t size, std::size_t max_size) {
    std::string text{reinterpret_cast<char const*>(data), size};
    if (below(4) == 0) {
      text.resize(max_size);
      text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, max_size));
      repair(text);
    } else {
      for (auto steps = below(4) + 1; steps > 0; --steps) change_structure(text);
    }
    if (text.size() > max_size) text.resize(boundary(text, max_size));
    std::memcpy(data, text.data(), text.size());
    return text.size();
  }

 private:
  static constexpr std::array<std::string_view, 56> kPieces{
      "?",    ":",      "-",      ",",      "[",     "]",     "{",    "}",      "&",       "*",
      "!",    "|",      ">",      "'",      "\"",    "%",     "@",    "#",      "`",       " ",
      "\t",   "\n",     "\r\n",   "\r",     "a",     "key",   "- ",   ": ",     "? ",      "?\t",
      "-\t",  ":\t",    " #",     "# c\n",  "---\n", "...\n", "\\",   "\\x4",   "\\u00e9", "|2-\n",
      ">+\n", "|\n  ",  "''",     "\"\"",   "[]",    "{}",    "<<: ", "!!str ", "&x ",     "*x",
      "é",    "\u2028", "\u0085", "\uFEFF", "\n\n",  "~"};

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  /// The first byte of the character at `at`.
  static std::size_t boundary(std::string const& text, std::size_t at) {
    at = std::min(at, text.size());
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
    return at;
  }
  std::size_t place(std::string const& text) { return boundary(text, below(text.size() + 1)); }
  std::size_t line(std::string const& text) {
    auto const end = text.rfind('\n', place(text));
    return end == std::string::npos ? 0 : end + 1;
  }

  void change_structure(std::string& text) {
    auto from = place(text), to = place(text);
    if (from > to) std::swap(from, to);
    auto const at_line = line(text);
    switch (below(7)) {
      case 0:
      case 1: text.insert(from, kPieces[below(kPieces.size())]); break;
      case 2: text.replace(from, below(4), kPieces[below(kPieces.size())]); break;
      case 3: text.erase(from, std::min(to - from, std::size_t{64})); break;
      case 4: text.insert(at_line, below(5) + 1, ' '); break;
      case 5:
        if (at_line < text.size() && text[at_line] == ' ') text.erase(at_line, 1);
        break;
      default: {
        auto const end = text.find('\n', at_line);
        text.insert(line(text), text.substr(at_line, end == std::string::npos ? end : end + 1 - at_line));
      }
    }
    repair(text);
  }

  /// Replaces bytes that are no UTF-8.
  static void repair(std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      auto const c = static_cast<unsigned char>(text[at]);
      std::size_t const length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
      bool whole = length != 0 && at + length <= text.size();
      for (std::size_t i = 1; whole && i < length; ++i)
        whole = (static_cast<unsigned char>(text[at + i]) & 0xC0U) == 0x80U;
      auto const second = whole && length > 2 ? static_cast<unsigned char>(text[at + 1]) : 0U;
      if ((c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F) || (c == 0xF0 && second < 0x90) ||
          (c == 0xF4 && second > 0x8F))
        whole = false;
      if (!whole) text[at] = 'a';
      at += whole ? length : 1;
    }
  }

  std::minstd_rand random_;
};

}  // namespace andon::fuzz

/// The hook of libFuzzer; each target that reads YAML includes this file once.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return andon::fuzz::YamlMutation{seed}.change(data, size, max_size);
}
