#include "runner/supervision/disk_meter.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace andon::runner {
namespace {

constexpr std::int64_t kBlock = 512;  // stat(2), st_blocks

}  // namespace

std::int64_t DiskMeter::step(std::size_t most) {
  std::error_code gone;
  for (std::size_t looked = 0; looked < most; ++looked) {
    if (at_ == std::filesystem::directory_iterator{}) {
      if (left_.empty()) {
        last_ = sum_;
        sum_ = 0;
        left_ = roots_;
        if (looked > 0 || left_.empty()) break;
      }
      at_ = std::filesystem::directory_iterator{left_.back(), gone};
      left_.pop_back();
      continue;
    }
    struct stat about{};
    if (::lstat(at_->path().c_str(), &about) == 0) {
      sum_ += about.st_blocks * kBlock;
      if (S_ISDIR(about.st_mode)) left_.push_back(at_->path());
    }
    at_.increment(gone);
  }
  return std::max(last_, sum_);
}

}  // namespace andon::runner
