#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "os/process.hpp"
#include "runner/end_record.hpp"
#include "runner/run_spec.hpp"

namespace andon::runner {

/// The files of a run directory beside the log.
struct RunFiles {
  explicit RunFiles(std::filesystem::path run_dir) : dir(std::move(run_dir)) {}

  std::filesystem::path dir;
  std::filesystem::path spec() const { return dir / "spec.json"; }
  std::filesystem::path input() const { return dir / "stdin.txt"; }
  std::filesystem::path supervisor() const { return dir / "supervisor.json"; }
  std::filesystem::path supervisor_log() const { return dir / "supervisor.log"; }
  std::filesystem::path agent() const { return dir / "agent.json"; }
  std::filesystem::path cgroup() const { return dir / "cgroup.json"; }
  std::filesystem::path end() const { return dir / "end.json"; }
  /// In the environment of every process of the run, so that strays can be told: `ANDON_RUN_DIR=…`.
  std::string marker() const { return "ANDON_RUN_DIR=" + dir.native(); }
};

void write_spec(RunFiles const& files, RunSpec const& spec);
core::Result<RunSpec> read_spec(RunFiles const& files);

/// `supervisor.json` and `agent.json` say which process it is.
void write_process(std::filesystem::path const& file, os::ProcessId const& process);
std::optional<os::ProcessId> read_process(std::filesystem::path const& file);

/// `cgroup.json` names the directory of the group in which the run's processes are born.
void write_cgroup(RunFiles const& files, std::filesystem::path const& directory);
std::optional<std::filesystem::path> read_cgroup(RunFiles const& files);

void write_end(RunFiles const& files, EndRecord const& record);
/// Nothing as long as the run has not ended, or when its supervising process was killed.
std::optional<EndRecord> read_end(RunFiles const& files);

}  // namespace andon::runner
