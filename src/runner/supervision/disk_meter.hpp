#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace andon::runner {

/// Measures the disk that directories take, in passes of bounded steps. Follows no links.
class DiskMeter {
 public:
  explicit DiskMeter(std::vector<std::filesystem::path> roots) : roots_(std::move(roots)) {}

  /// Looks at `most` further entries. Returns the larger of the last whole pass and this one so far, in
  /// bytes.
  std::int64_t step(std::size_t most);

 private:
  std::vector<std::filesystem::path> roots_;
  std::vector<std::filesystem::path> left_{};  ///< directories of this pass that were not read yet
  std::filesystem::directory_iterator at_{};
  std::int64_t sum_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace andon::runner
