#pragma once

#include <filesystem>
#include <string>

#include "runner/supervision/server_link.hpp"

namespace andon::runner {

/// Reads the key for the seal of the end record from standard input. The server sends it after it has
/// recorded this process. Empty when the server ended before that; then nothing may be started.
std::string take_key();

/// The complete life of a supervising process (`andon supervise RUN_DIR`). It starts the agent of
/// `spec.json`, renews the lease, stores the output and enforces the limits. It leaves no process behind,
/// writes the sealed `end.json` and reports the end. SIGTERM kills the run, SIGUSR1 ends it politely. Returns
/// the exit code of the process. Call it once, in a process without other children and threads.
int supervise(std::filesystem::path const& run_dir, std::string const& key, ServerLink& link);

}  // namespace andon::runner
