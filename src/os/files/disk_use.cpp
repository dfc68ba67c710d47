#include "os/files/disk_use.hpp"

#include <sys/stat.h>

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kBytesOfBlock = 512;  ///< the unit of `st_blocks`, see stat(2)

}  // namespace

std::int64_t bytes_on_disk(fs::path const& directory) {
  std::int64_t bytes = 0;
  std::error_code trouble;
  fs::recursive_directory_iterator entry{directory, fs::directory_options::skip_permission_denied, trouble};
  for (fs::recursive_directory_iterator const end; !trouble && entry != end; entry.increment(trouble)) {
    struct stat about{};
    if (::lstat(entry->path().c_str(), &about) == 0) bytes += about.st_blocks * kBytesOfBlock;
  }
  return bytes;
}

}  // namespace andon::os
