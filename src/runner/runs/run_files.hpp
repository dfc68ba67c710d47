#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "runner/runs/end_record.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// The files of a run directory beside the log. The agent may write all of them: what they say of processes
/// and of its end counts for nothing but with a seal.
struct RunFiles {
  explicit RunFiles(std::filesystem::path run_dir) : dir(std::move(run_dir)) {}

  std::filesystem::path dir;
  std::filesystem::path spec() const { return dir / "spec.json"; }
  std::filesystem::path input() const { return dir / "stdin.txt"; }
  std::filesystem::path supervisor_log() const { return dir / "supervisor.log"; }
  std::filesystem::path end() const { return dir / "end.json"; }
  std::filesystem::path seal() const { return dir / "end.seal"; }
  /// In the environment of every process of the run, so that strays can be told: `ANDON_RUN_DIR=…`.
  std::string marker() const { return "ANDON_RUN_DIR=" + dir.native(); }
};

void write_spec(RunFiles const& files, RunSpec const& spec);
core::Result<RunSpec> read_spec(RunFiles const& files);

/// Which file the agent reads from, as `DEVICE:INODE`; empty when it is not there.
std::string identity_of_input(RunFiles const& files);

/// The key is the supervising process's own: `end.seal` proves that the record is its.
void write_end(RunFiles const& files, EndRecord const& record, std::string_view key);
/// Nothing as long as the run has not ended, or when its supervising process was killed. Anybody may have
/// written it.
std::optional<EndRecord> read_end(RunFiles const& files);
/// The record that the holder of the key wrote; nothing when there is none, whatever lies there. An empty key
/// proves nothing.
std::optional<EndRecord> sealed_end(RunFiles const& files, core::RunId run, std::string_view key);

}  // namespace andon::runner
