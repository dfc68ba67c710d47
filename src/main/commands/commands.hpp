#pragma once

#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// The commands that are no operations: `serve`, `open`, `logs`, `agents …`, `token create`.
std::vector<cli::NamedCommand> commands();

}  // namespace andon::main
