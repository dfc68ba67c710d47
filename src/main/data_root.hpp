#pragma once

#include <filesystem>

#include "cli/command_line/invocation.hpp"

namespace andon::main {

/// The data directory a command works on; a server elsewhere has none here.
core::Result<std::filesystem::path> data_root(cli::Invocation& in);

}  // namespace andon::main
