#pragma once

#include "cli/command_line/invocation.hpp"

namespace andon::main {

/// `andon logs [ID] [-f] [--run N]`: prints the output of a task's agent.
core::Result<int> run_logs(cli::Invocation& in);

}  // namespace andon::main
