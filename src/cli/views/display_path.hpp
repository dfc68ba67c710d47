#pragma once

#include <filesystem>
#include <string>

namespace andon::cli {

/// A file as somebody in that directory would name it: relative when it lies beneath, else as it is.
std::string display_path(std::filesystem::path const& directory, std::filesystem::path const& file);

}  // namespace andon::cli
