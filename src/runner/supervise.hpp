#pragma once

#include <filesystem>

#include "runner/server_link.hpp"

namespace andon::runner {

/// The whole life of a supervising process (`andon supervise RUN_DIR`): starts the agent of `spec.json`,
/// renews its lease, keeps its output, ends it when it must, leaves no process behind, writes `end.json` and
/// reports the end. SIGTERM kills the run, SIGUSR1 ends it politely. Returns the exit code of the process. To
/// be called once, from a process that has no other children and no threads.
int supervise(std::filesystem::path const& run_dir, ServerLink& link);

}  // namespace andon::runner
