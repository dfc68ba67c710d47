#pragma once

#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `backup`, `restore`, `store trim`.
std::vector<cli::NamedCommand> store_commands();

}  // namespace andon::main
