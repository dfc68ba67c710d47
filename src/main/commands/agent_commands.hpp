#pragma once

#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `agents list`, `agents show`, `agents test`: the profiles of this machine.
std::vector<cli::NamedCommand> agent_commands();

}  // namespace andon::main
