#pragma once

#include "cli/command_line/invocation.hpp"

namespace andon::main {

/// `andon logs [ID] [-f] [--run N]`: what the agent of a task printed, from the files of the data directory.
core::Result<int> run_logs(cli::Invocation& in);

}  // namespace andon::main
