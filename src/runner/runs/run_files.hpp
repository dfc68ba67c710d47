#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "runner/runs/end_record.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// In a run directory, the agent's working directory when its board has no repository.
inline constexpr char kWorkDirectory[] = "work";

/// In a run directory, the difference of the work of earlier attempts to the default branch.
inline constexpr char kEarlierWork[] = "earlier-work.diff";

/// The files of a run directory except the log. An agent in a sandbox reads them and writes only in the
/// directories `work`, `own` and `tmp`. An agent without one may write all of them. So nothing in them is
/// believed after its start, except the end record, which has a seal.
struct RunFiles {
  explicit RunFiles(std::filesystem::path run_dir) : dir(std::move(run_dir)) {}

  std::filesystem::path dir;
  /// The program's own files: those of its profile, and those that it writes.
  std::filesystem::path own() const { return dir / "own"; }
  std::filesystem::path tmp() const { return dir / "tmp"; }
  /// Copies of the files of the task.
  std::filesystem::path attachments() const { return dir / "attachments"; }
  /// The difference that earlier attempts left in the work tree.
  std::filesystem::path earlier_work() const { return dir / kEarlierWork; }
  std::filesystem::path spec() const { return dir / "spec.json"; }
  std::filesystem::path input() const { return dir / "stdin.txt"; }
  std::filesystem::path supervisor_log() const { return dir / "supervisor.log"; }
  std::filesystem::path end() const { return dir / "end.json"; }
  std::filesystem::path seal() const { return dir / "end.seal"; }
  /// The variable `ANDON_RUN_DIR=…`, by which every process of the run can be recognised.
  std::string marker() const { return "ANDON_RUN_DIR=" + dir.native(); }
};

void write_spec(RunFiles const& files, RunSpec const& spec);
core::Result<RunSpec> read_spec(RunFiles const& files);
/// Empties the spec of a run that is over: it holds keys of the agent's program. That it is there still says
/// that the run was prepared here.
void forget_spec(RunFiles const& files);

/// The identity of the agent's input file as `DEVICE:INODE`; empty when the file does not exist.
std::string identity_of_input(RunFiles const& files);

/// Writes `end.json` and `end.seal`. Only the supervising process has the key, so the seal proves the author.
void write_end(RunFiles const& files, EndRecord const& record, std::string_view key);
/// Returns nothing while the run lasts, or when its supervising process was killed. Does not check the seal,
/// so any process may have written the record.
std::optional<EndRecord> read_end(RunFiles const& files);
/// The record whose seal matches the key; nothing in all other cases. An empty key matches no seal.
std::optional<EndRecord> sealed_end(RunFiles const& files, core::RunId run, std::string_view key);

}  // namespace andon::runner
