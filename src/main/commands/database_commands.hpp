#pragma once

#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `store grant-sql`, `store migrate`.
std::vector<cli::NamedCommand> database_commands();

}  // namespace andon::main
