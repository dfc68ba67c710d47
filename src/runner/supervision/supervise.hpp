#pragma once

#include <filesystem>
#include <string>

#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// Takes the key with which this supervising process seals its end record from standard input, as far as that
/// goes, once the server knows which process this is. Empty when the server went away before: then nothing
/// may be started.
std::string take_key();

/// The whole life of a supervising process (`andon supervise RUN_DIR`): starts the agent of `spec.json`,
/// renews its lease, keeps its output, ends it when it must, leaves no process behind, writes `end.json` with
/// its seal and reports the end. SIGTERM kills the run, SIGUSR1 ends it politely. Returns the exit code of
/// the process. To be called once, from a process that has no other children and no threads.
int supervise(std::filesystem::path const& run_dir, std::string const& key, ServerLink& link);

}  // namespace andon::runner
