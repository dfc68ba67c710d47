#pragma once

#include <filesystem>

#include "core/error.hpp"
#include "core/model/work_setup.hpp"

namespace andon::runner {

/// Reads `commands.yml` of a data directory: a map from names to commands, as `unit: [make, test]`. None when
/// there is no file. Refuses a file that others can change, and one that holds anything else.
core::Result<core::MachineCommands> read_machine_commands(std::filesystem::path const& file);

}  // namespace andon::runner
