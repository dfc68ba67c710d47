#pragma once

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `andon service install|status|remove`: the server as a service of systemd.
std::vector<cli::NamedCommand> service_commands();

}  // namespace andon::main
