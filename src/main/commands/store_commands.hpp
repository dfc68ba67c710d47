#pragma once

#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `backup`, `restore`, `store trim`, `store copy`.
std::vector<cli::NamedCommand> store_commands();

}  // namespace andon::main
