#pragma once

#include <vector>

#include "cli/command_line/environment.hpp"
#include "os/data/data_directory.hpp"
#include "store/contract/examination.hpp"

namespace andon::cli {

/// Reports on the sandbox of the agents of a data directory: whether the kernel makes one, and the sockets
/// and rights of root that it does not close.
std::vector<store::Finding> sandbox_findings(os::DataDirectory const& data, Environment const& env);

}  // namespace andon::cli
