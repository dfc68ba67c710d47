#pragma once

#include "api/local_executor.hpp"
#include "os/data/data_directory.hpp"

namespace andon::main {

/// Fills a store without boards with the welcome board: a git repository in the data directory, three workers
/// with their profile, and their tasks. Does nothing if the store has a board. Throws when it fails.
void welcome(api::LocalExecutor& executor, os::DataDirectory const& data);

}  // namespace andon::main
