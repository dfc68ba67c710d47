#pragma once

#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `telegram setup`, `telegram test` and `telegram status`.
std::vector<cli::NamedCommand> telegram_commands();

}  // namespace andon::main
