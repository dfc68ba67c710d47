#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace andon::os {

// The TCP ports at which the server or runner of a data directory is reached. Agents must not take them while
// it starts again.

/// Writes them to `ports` in the directory.
void keep_held_ports(std::filesystem::path const& root, std::vector<std::uint16_t> const& ports);
/// The ports that were kept last; none without a readable file.
std::vector<int> held_ports(std::filesystem::path const& root);

}  // namespace andon::os
