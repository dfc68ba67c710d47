#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/run.hpp"
#include "os/data/data_directory.hpp"
#include "os/processes/process.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/prompts/prompt.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// What is needed to start one run. The run's record must be on disk already.
struct LaunchRequest {
  core::Run run;
  PromptParts prompt;
  Profile profile;
  std::string token;  ///< of this run alone
  std::string url;
  std::filesystem::path cwd;  ///< where the agent works; an empty directory of the run when empty
  std::string session;        ///< to go on with, or empty
  core::Usage used_before;    ///< by earlier runs of that session
  std::vector<std::string> add_dirs;
  std::map<std::string, std::string> settings;  ///< `effort`, `max_turns`, `budget_usd` for the profile
  RunLimits limits;
  std::optional<WorkspaceSpec> workspace;  ///< a work tree to make and to work in, instead of `cwd`
  std::vector<CheckSpec> checks;
  core::Duration check_limit{600'000};
};

/// A supervising process that was started. It is a child of this process, in a session of its own, and goes
/// on when this process ends. It waits for its key before it does anything; when nobody has the other end of
/// the pipe any more, it ends. Whoever holds the handle reaps it when that is readable.
struct Launched {
  std::filesystem::path run_dir;
  os::ProcessId supervisor;
  os::Child child;
  std::string input;   ///< which file its agent will read from, as `DEVICE:INODE`
  os::Descriptor key;  ///< where to write the key
};

/// Starts runs of one data directory.
class Launcher {
 public:
  /// `program` is the `andon` whose `supervise` is started; the environment of agents is chosen from `own`.
  Launcher(os::DataDirectory data, std::filesystem::path program, std::vector<std::string> own);

  /// Makes the run directory with prompt, files and `spec.json`, then starts the supervising process. Refuses
  /// a profile whose program is not there, naming worker, profile and program.
  core::Result<Launched> launch(LaunchRequest const& request) const;

  /// What `launch` would make, without making it: the spec and the texts.
  struct Plan {
    RunSpec spec;
    std::string input;                                       ///< of the agent's standard input
    std::vector<std::pair<std::string, std::string>> files;  ///< path beneath the run directory, content
  };
  core::Result<Plan> plan(LaunchRequest const& request) const;

  std::filesystem::path run_directory(core::RunId run) const;

 private:
  core::Result<void> add_sandbox(RunSpec& spec, Profile const& profile, RunFiles const& files) const;

  os::DataDirectory data_;
  std::filesystem::path program_;
  std::vector<std::string> own_;
};

}  // namespace andon::runner
