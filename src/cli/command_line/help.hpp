#pragma once

#include <span>
#include <string>

#include "cli/command_line/command.hpp"
#include "cli/command_line/environment.hpp"

namespace andon::cli {

/// The help of the program: every command with its summary.
std::string help_text(std::span<Command const> commands, Environment const& env);
/// The commands that begin with that word.
std::string group_help_text(std::string_view group, std::span<Command const> commands,
                            Environment const& env);
/// The help of one command.
std::string help_text(Command const& command, std::span<Command const> commands, Environment const& env);
std::string version_line(Environment const& env);

}  // namespace andon::cli
