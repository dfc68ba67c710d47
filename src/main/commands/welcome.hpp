#pragma once

#include "api/local_executor.hpp"
#include "os/data/data_directory.hpp"

namespace andon::main {

/// Fills a store that has no board with the welcome board: a git repository in the data directory, three
/// workers with a profile of their own, and their tasks. Does nothing when there is a board already. Throws
/// when it cannot.
void welcome(api::LocalExecutor& executor, os::DataDirectory const& data);

}  // namespace andon::main
