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

/// The input for the start of one run. The run's record must be on the disk already.
struct LaunchRequest {
  core::Run run;
  PromptParts prompt;
  Profile profile;
  std::string token;  ///< valid for this run only
  std::string url;
  std::filesystem::path cwd;      ///< the agent's directory; when empty, a new directory of the run
  bool continues_in_run = false;  ///< `cwd` is the directory of an earlier run of the conversation
  std::string session;            ///< the session to resume, or empty
  core::Usage used_before;        ///< by earlier runs of that session
  std::vector<std::string> add_dirs;
  std::map<std::string, std::string> settings;  ///< `effort`, `max_turns`, `budget_usd` for the profile
  RunLimits limits;
  std::optional<WorkspaceSpec> workspace;  ///< a work tree to make and use instead of `cwd`
  std::optional<TreeSetup> setup;          ///< of that work tree
  std::vector<CheckSpec> checks;
  core::Duration check_limit{600'000};
  core::ResourceLimits resources{};
  std::vector<std::string> board_env{};  ///< `env` of the board
};

/// A supervising process that was started. It is a child of this process with its own session, and outlives
/// this process. It waits for its key before it does anything, and ends when the other end of the pipe is
/// closed. The owner of `child` reaps it when its handle becomes readable.
struct Launched {
  std::filesystem::path run_dir;
  os::ProcessId supervisor;
  os::Child child;
  std::string input;   ///< the input file of its agent, as `DEVICE:INODE`
  std::string cwd;     ///< the directory in which its agent starts
  os::Descriptor key;  ///< the pipe for the key
};

/// Starts runs of one data directory.
class Launcher {
 public:
  /// `program` is the `andon` for `andon supervise`. The agents' environment is a selection of `own`.
  Launcher(os::DataDirectory data, std::filesystem::path program, std::vector<std::string> own);

  /// Makes the run directory with prompt, files and `spec.json`, then starts the supervising process. Refuses
  /// a profile without its program; the refusal names worker, profile and program. Refuses a working
  /// directory that would open the data directory or the hidden folders of the home directory to the agent.
  core::Result<Launched> launch(LaunchRequest const& request) const;

  /// The spec and texts that `launch` would write.
  struct Plan {
    RunSpec spec;
    std::string input;                                       ///< the agent's standard input
    std::vector<std::pair<std::string, std::string>> files;  ///< path beneath the run directory, content
    std::vector<std::filesystem::path> directories;          ///< to make when they are missing
  };
  core::Result<Plan> plan(LaunchRequest const& request) const;

  std::filesystem::path run_directory(core::RunId run) const;

 private:
  core::Result<void> check_place(LaunchRequest const& request) const;
  void add_sandbox(Plan& plan, LaunchRequest const& request, RunFiles const& files) const;

  os::DataDirectory data_;
  std::filesystem::path program_;
  std::vector<std::string> own_;
};

}  // namespace andon::runner
