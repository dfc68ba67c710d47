#pragma once

#include <filesystem>

#include "cli/command_line/invocation.hpp"

namespace andon::main {

/// The data directory that a command works on. A refusal if the location is a server elsewhere.
core::Result<std::filesystem::path> data_root(cli::Invocation& in);

}  // namespace andon::main
