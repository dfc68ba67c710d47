#pragma once

#include <filesystem>
#include <optional>

namespace andon::cli {

/// The same directory in the main checkout, for one in a linked work tree of git; it need not be there.
std::optional<std::filesystem::path> in_main_checkout(std::filesystem::path const& directory);

}  // namespace andon::cli
