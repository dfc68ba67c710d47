#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/time/time.hpp"
#include "runner/output/output_rules.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/profiles/sandbox.hpp"

namespace andon::runner {

/// The times a supervising process keeps to.
struct RunLimits {
  core::Duration heartbeat{15'000};
  core::Duration lease{60'000};
  core::Duration total{4 * 3'600'000};
  core::Duration silence{};          ///< where the profile says none; 0 for no limit
  core::Duration kill_grace{1'000};  ///< between TERM and KILL
  core::Duration drain{200};         ///< for output after the agent's end while somebody holds the pipe
};
BOOST_DESCRIBE_STRUCT(RunLimits, (), (heartbeat, lease, total, silence, kill_grace, drain))

/// A verification command of the board. No shell.
struct CheckSpec {
  std::string name;
  std::vector<std::string> argv;
};
BOOST_DESCRIBE_STRUCT(CheckSpec, (), (name, argv))

/// The work tree of a task.
struct WorkspaceSpec {
  std::string repo;
  std::string directory;                   ///< its name is that of a new branch
  std::string branch{};                    ///< on which earlier runs of the task worked
  std::optional<core::WorkPlace> place{};  ///< as it was made for them, by the server's own record
  std::string title{};                     ///< of the task, for what the server commits
};
BOOST_DESCRIBE_STRUCT(WorkspaceSpec, (), (repo, directory, branch, place, title))

/// Everything a supervising process needs to know, as `spec.json` of the run directory. It holds the run's
/// token: mode 0600.
struct RunSpec {
  core::RunId run = 0;
  core::TaskId task = 0;
  std::int64_t epoch = 0;
  std::string worker;
  std::string board;
  std::string agent;  ///< its profile
  std::string url;
  std::string socket;
  std::string token;
  std::string program;
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string cwd;
  std::optional<core::WorkPlace> place;  ///< where git works for it, known once that was looked up
  std::string head_before;               ///< commit the work starts from; empty outside a repository
  std::vector<std::string> left_before;  ///< what no commit had then, see `uncommitted`
  Output output;
  UsageRule usage;
  core::Usage used_before;  ///< by earlier runs of the same session
  std::vector<std::vector<boost::json::value>> stop;
  std::map<std::string, ExitClass> exit;
  Timeouts timeouts;
  std::vector<FatalRule> fatal;
  std::vector<FailureRule> failures;
  std::string sign_in;  ///< what a person does to sign in to the program
  RunLimits limits;
  std::optional<WorkspaceSpec> workspace;  ///< to be there before the agent starts; it works in it
  std::optional<SandboxSpec> sandbox;      ///< of the agent and the checks of its work
  std::vector<CheckSpec> checks;           ///< run when the agent has ended
  std::vector<std::string> check_env;
  core::Duration check_limit{600'000};  ///< of each check
};
BOOST_DESCRIBE_STRUCT(RunSpec, (),
                      (run, task, epoch, worker, board, agent, url, socket, token, program, argv, env, cwd,
                       head_before, left_before, output, usage, used_before, stop, exit, timeouts, fatal,
                       failures, sign_in, limits, workspace, sandbox, checks, check_env, check_limit))

}  // namespace andon::runner
