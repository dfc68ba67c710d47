#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace andon::runner {

/// Lines of a file that follow each other.
struct LineRange {
  std::int64_t first = 0;
  std::int64_t count = 1;
};

/// The head of a hunk of a diff.
struct HunkHead {
  std::vector<LineRange> before;  ///< of each parent; one of a diff between two commits
  LineRange after;
};

/// Reads `@@ -12,3 +12,4 @@ TEXT`, or with one more `@` and range for each further parent of a merge. Nothing
/// for any other line.
std::optional<HunkHead> hunk_head(std::string_view line);

}  // namespace andon::runner
