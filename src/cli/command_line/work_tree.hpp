#pragma once

#include <filesystem>
#include <optional>

namespace andon::cli {

/// The directory of the main checkout that corresponds to one in a linked work tree of git, or in the
/// work tree of a task. It may not exist.
std::optional<std::filesystem::path> in_main_checkout(std::filesystem::path const& directory);

}  // namespace andon::cli
