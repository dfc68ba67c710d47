#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace andon::os {

/// The executable file a name stands for: searched in a PATH value, or taken as it is when it has a slash.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view search_path);

/// The file this process runs from.
std::filesystem::path own_program();

}  // namespace andon::os
