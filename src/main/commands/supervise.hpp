#pragma once

#include <filesystem>

namespace andon::main {

/// `andon supervise RUN_DIR`: runs one supervising process. It is separate from all other commands to keep
/// the process small.
int supervise(std::filesystem::path const& run_dir);

}  // namespace andon::main
