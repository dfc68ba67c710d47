#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace andon::core {

/// A character as readers count them (Unicode Annex 29): a base with its combining marks and selectors,
/// emoji that are joined, a flag of two regional indicators, or one byte that is not UTF-8.
struct GraphemeCluster {
  std::string_view bytes;  ///< whole characters, at most 64 bytes of them
  std::size_t cells = 0;   ///< 0, 1 or 2; 0 for control characters and for marks without a base
};

/// Reads a text cluster by cluster. What a cluster holds beyond 64 bytes is skipped.
class ClusterReader {
 public:
  explicit ClusterReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  /// The next cluster of a text that is not at its end.
  GraphemeCluster next();

 private:
  std::string_view rest_;
};

/// The width of the text in cells of a terminal: 2 for wide characters and emoji, 0 for combining ones.
std::size_t cells(std::string_view text);
/// The text cut to so many cells, the mark among them where something was cut. A mark that is wider stays.
std::string cut(std::string_view text, std::size_t most, std::string_view mark = "...");
/// The text with blanks up to so many cells.
std::string padded(std::string text, std::size_t width);

}  // namespace andon::core
