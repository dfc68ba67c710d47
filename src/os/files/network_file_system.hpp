#pragma once

#include <optional>
#include <string_view>

namespace andon::os {

/// The name of the network file system that holds an open file or directory; nothing for a local one.
std::optional<std::string_view> network_file_system(int file);

}  // namespace andon::os
