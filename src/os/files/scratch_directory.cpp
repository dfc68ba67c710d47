#include "os/files/scratch_directory.hpp"

#include <system_error>

#include "os/files/file.hpp"
#include "os/random.hpp"

namespace andon::os {

ScratchDirectory::ScratchDirectory()
    : path_(std::filesystem::temp_directory_path() / ("andon-" + random_hex(8))) {
  make_private_directory(path_);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace andon::os
