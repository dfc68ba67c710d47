#pragma once

#include <span>
#include <string>

#include "cli/command_line/environment.hpp"

namespace andon::cli {

/// Runs one command line (without the program's name) and answers with the exit code.
int run(std::span<std::string const> arguments, Environment const& env);

}  // namespace andon::cli
