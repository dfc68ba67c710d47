#include "os/files/scratch_directory.hpp"

#include <chrono>
#include <string_view>
#include <system_error>

#include "os/files/file.hpp"
#include "os/random.hpp"

namespace andon::os {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "andon-scratch-";
constexpr std::size_t kNameBytes = 8;
constexpr std::chrono::hours kLongAgo{24};

void remove_old(fs::path const& parent) {
  std::error_code none;
  auto const long_ago = fs::file_time_type::clock::now() - kLongAgo;
  for (fs::directory_iterator entry{parent, none}, end; !none && entry != end; entry.increment(none)) {
    if (!entry->path().filename().native().starts_with(kPrefix)) continue;
    std::error_code trouble;
    if (entry->last_write_time(trouble) < long_ago && !trouble) fs::remove_all(entry->path(), trouble);
  }
}

}  // namespace

ScratchDirectory::ScratchDirectory()
    : path_(fs::temp_directory_path() / (std::string{kPrefix} + random_hex(kNameBytes))) {
  make_private_directory(path_);
}

ScratchDirectory::ScratchDirectory(fs::path const& parent)
    : path_(parent / (std::string{kPrefix} + random_hex(kNameBytes))) {
  make_private_directory(path_);
  remove_old(parent);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace andon::os
