#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::core {

/// True for the path of a file whose text is executed or obeyed: source code, settings, and what
/// `executor_of` knows.
bool is_code(std::string_view path);

/// Finds text in the lines of a file that a reader does not see: bidirectional controls and other characters
/// that are not shown (Boucher and Anderson, "Trojan Source", 2021), words of mixed alphabets, control
/// characters, text far behind blanks, and lines too long to be read. Code is judged more strictly than other
/// text, in which some of these characters have their use.
class HiddenText {
 public:
  enum class Strictness { translation, text, code };

  explicit HiddenText(std::string_view path);

  /// The reason why a reader does not see all of that line, in words; empty when it is all seen.
  std::string in(std::string_view line) const;

 private:
  Strictness strictness_;
  bool is_read_;  ///< generated files are not
};

/// The longest lines that are read in code and in other text, in bytes.
inline constexpr std::size_t kLongestCodeLine = 20'000;
inline constexpr std::size_t kLongestTextLine = 1'000'000;

}  // namespace andon::core
