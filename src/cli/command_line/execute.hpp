#pragma once

#include "cli/command_line/invocation.hpp"

namespace andon::cli {

/// Carries out the command and prints what came of it; the answer is the exit code.
int execute(Invocation& in);

}  // namespace andon::cli
