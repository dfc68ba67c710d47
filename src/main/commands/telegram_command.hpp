#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command_line/command.hpp"

namespace andon::main {

/// `telegram setup`, `telegram test` and `telegram status`.
std::vector<cli::NamedCommand> telegram_commands();

/// The mistakes in `telegram.json` of a data directory: those that stop the start of a server, or boards that
/// are not there. None where it is not set up.
std::vector<std::string> telegram_mistakes(std::filesystem::path const& data);

}  // namespace andon::main
