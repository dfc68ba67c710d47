#pragma once

#include <filesystem>

#include "cli/command_line/invocation.hpp"

namespace andon::main {

/// The data directory that a command works on, and the database that was chosen for it. A refusal if the
/// location is a server elsewhere.
core::Result<cli::DataDirectory> data_place(cli::Invocation& in);
/// The data directory that a command works on. A refusal if the location is a server elsewhere.
core::Result<std::filesystem::path> data_root(cli::Invocation& in);

}  // namespace andon::main
