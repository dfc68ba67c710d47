#pragma once

#include "cli/command_line/named_commands.hpp"

namespace andon::main {

/// `andon runner`: takes work from a server on another host.
cli::NamedCommand runner_command();

}  // namespace andon::main
