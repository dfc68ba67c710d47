#pragma once

#include <cstdint>
#include <filesystem>

namespace andon::os {

/// The bytes on the disk of a directory with all beneath it. Follows no links. What cannot be read counts as
/// nothing.
std::int64_t bytes_on_disk(std::filesystem::path const& directory);

}  // namespace andon::os
