#pragma once

#include "cli/command_line/invocation.hpp"

namespace andon::main {

/// Sets the least level to log from `--log-level`. Refuses a level that does not exist.
core::Result<void> set_log_level(cli::Invocation& in);

}  // namespace andon::main
