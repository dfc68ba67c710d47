#pragma once

#include <filesystem>
#include <string_view>
#include <sys/types.h>

namespace andon::cli {

/// Replaces a file as a whole; where a link leads to it, the link stays. An existing file keeps its mode, a
/// new one gets that mode, and missing folders are made.
void write_through(std::filesystem::path const& path, std::string_view content, mode_t mode_of_new);

}  // namespace andon::cli
