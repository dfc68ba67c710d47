#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace andon::runner {

/// Reads the output of `git diff --patch` line by line. Files are told apart by their headers alone, and the
/// lines of a hunk by the counts in its head, so that no content can pass for a header.
class PatchLines {
 public:
  explicit PatchLines(std::string_view patch) : rest_(patch) {}

  enum class Kind { file, added, removed, context };
  struct Line {
    Kind kind = Kind::file;
    std::int64_t number = 0;  ///< after the change; before it for a removed line
    std::string_view text{};  ///< without its sign and its line end
  };

  /// The next header of a file or line of a hunk; false at the end.
  bool next(Line& line);
  /// False when the head of a hunk was none that git prints: then lines may be missing.
  bool is_clear() const { return is_clear_; }

 private:
  bool in_hunk(std::string_view raw, Line& line);
  void begin_hunk(std::string_view line);

  std::string_view rest_;
  std::int64_t before_ = 0;  ///< the number of the next line before the change
  std::int64_t after_ = 0;
  std::int64_t left_before_ = 0;  ///< lines of the hunk that are still to come
  std::int64_t left_after_ = 0;
  bool is_clear_ = true;
};

}  // namespace andon::runner
