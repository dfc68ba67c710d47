#pragma once

#include <filesystem>

namespace andon::main {

/// `andon supervise RUN_DIR`: the life of one supervising process, kept apart from all other commands so that
/// it stays small.
int supervise(std::filesystem::path const& run_dir);

}  // namespace andon::main
