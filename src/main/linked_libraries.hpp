#pragma once

#include <vector>

#include "cli/command_line/environment.hpp"

namespace andon::main {

/// The libraries that this program contains or loads, by name. Those that the system updates are linked
/// dynamically. The others are in the program, because Debian has them as archives only or their interface
/// changes with every version (Boost, libstdc++); `system` then tells what a new build would take.
std::vector<cli::LinkedLibrary> linked_libraries();

}  // namespace andon::main
