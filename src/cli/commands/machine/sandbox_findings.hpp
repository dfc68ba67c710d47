#pragma once

#include <vector>

#include "cli/command_line/environment.hpp"
#include "os/data/data_directory.hpp"
#include "store/contract/examination.hpp"

namespace andon::cli {

/// What holds the agents of a data directory, and what stays open to them.
std::vector<store::Finding> sandbox_findings(os::DataDirectory const& data, Environment const& env);

}  // namespace andon::cli
