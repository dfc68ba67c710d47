#pragma once

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `mcp`: the board for an agent that speaks the Model Context Protocol over standard input.
cli::NamedCommand mcp_command();

}  // namespace andon::main
