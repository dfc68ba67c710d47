#pragma once

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `andon tui`: the board on the whole terminal.
cli::NamedCommand tui_command();

}  // namespace andon::main
