#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace andon::os {

/// The executable file a name stands for: searched in a PATH value, or taken as it is when it has a slash.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view search_path);

/// Why there is none, to be put behind the name: "is not on the PATH", say.
std::string why_not_found(std::string_view name);

/// The file this process runs from.
std::filesystem::path own_program();

}  // namespace andon::os
