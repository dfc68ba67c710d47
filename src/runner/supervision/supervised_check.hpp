#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "runner/profiles/sandbox.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// A command that runs for a task or a board outside a run: a check of joined work, a source of an
/// automation. It is the input of its supervising process, which runs in `directory`.
struct SupervisedCheck {
  CheckSpec check;
  std::string directory;
  std::vector<std::string> env;
  core::Duration limit{};
  std::optional<SandboxSpec> sandbox;
  std::vector<std::string> secrets{};  ///< to keep out of the output
};
void describe(auto& field, SupervisedCheck const*) {
  field(&SupervisedCheck::check, "check");
  field(&SupervisedCheck::directory, "directory");
  field(&SupervisedCheck::env, "env");
  field(&SupervisedCheck::limit, "limit");
  field(&SupervisedCheck::sandbox, "sandbox");
  field(&SupervisedCheck::secrets, "secrets");
}

/// How the supervising process of a check is started and stopped.
struct CheckSupervision {
  std::filesystem::path program;  ///< the `andon` for `andon supervise-check`
  std::filesystem::path run_dir;  ///< marks its processes, see `RunFiles::marker`
  int directory = -1;  ///< the opened working directory, so that it cannot be replaced; -1 for none
  std::function<bool()> should_stop = [] { return false; };  ///< called every second
};

/// Runs the command like an agent: in a supervising process of its own, in a cgroup if the machine permits
/// one, and in its sandbox. All its processes end with it, also when this process is killed meanwhile.
core::CheckResult run_supervised(SupervisedCheck const& check, CheckSupervision const& supervision);

/// The complete life of the supervising process (`andon supervise-check`). It reads a `SupervisedCheck` as
/// one line of JSON from standard input, and writes a `core::CheckResult` as JSON to standard output. The end
/// of standard input stops the command. Returns the exit code of the process. Call it once, in a process
/// without other children and threads.
int supervise_check();

}  // namespace andon::runner
