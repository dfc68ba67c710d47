#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace andon::os {

/// Resolves a name to an executable file: by search in a PATH value, or unchanged if the name has a slash.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view search_path);

/// Why `find_program` failed, as the end of a sentence after the name, for example "is not on the PATH".
std::string why_not_found(std::string_view name);

/// The executable file of this process.
std::filesystem::path own_program();

}  // namespace andon::os
