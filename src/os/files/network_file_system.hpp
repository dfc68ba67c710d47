#pragma once

#include <optional>
#include <string_view>

namespace andon::os {

/// The name of the network file system that an open file or directory lies on; nothing for one of this
/// machine.
std::optional<std::string_view> network_file_system(int file);

}  // namespace andon::os
