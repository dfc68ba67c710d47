#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/resource_limits.hpp"
#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/time/time.hpp"
#include "runner/output/output_rules.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/profiles/sandbox.hpp"
#include "runner/runs/tree_setup.hpp"

namespace andon::runner {

/// The time limits of a supervising process.
struct RunLimits {
  core::Duration heartbeat{15'000};
  core::Duration lease{60'000};
  core::Duration total{4 * 3'600'000};
  core::Duration silence{};  ///< the shorter of this and the profile's counts; 0 for no limit
  /// To renew a lease that ended while the machine slept; 0 where the task may have been given away
  /// meanwhile.
  core::Duration wake_grace{10'000};
  core::Duration kill_grace{1'000};  ///< between TERM and KILL
  core::Duration drain{
      200};  ///< how long to read output after the agent's end while another process holds the pipe
};
void describe(auto& field, RunLimits const*) {
  field(&RunLimits::heartbeat, "heartbeat");
  field(&RunLimits::lease, "lease");
  field(&RunLimits::total, "total");
  field(&RunLimits::silence, "silence");
  field(&RunLimits::wake_grace, "wake_grace");
  field(&RunLimits::kill_grace, "kill_grace");
  field(&RunLimits::drain, "drain");
}

/// A check of the board. No shell is involved.
struct CheckSpec {
  std::string name;
  std::vector<std::string> argv;
};
void describe(auto& field, CheckSpec const*) {
  field(&CheckSpec::name, "name");
  field(&CheckSpec::argv, "argv");
}

/// The work tree of a task, with a repository of its own.
struct WorkspaceSpec {
  std::string repo;                        ///< the directory of Andon's clone, which lends it objects
  std::string directory;                   ///< also the name of a new branch
  std::string branch{};                    ///< the branch of the task's earlier runs
  std::optional<core::WorkPlace> place{};  ///< the work tree of those runs, from the server's record
  std::string title{};                     ///< of the task, for the server's commits
  std::string origin{};                    ///< what is cloned: the repository of the board
  std::string data{};                      ///< the data directory with that clone
  std::vector<std::string> filters{};      ///< those that Andon runs
  std::string folder{};                    ///< of the tree, in which the agent works; the tree when empty
  std::string board_branch{};              ///< where work begins and lands; the origin's default when empty
  std::string branch_prefix = "andon";     ///< of the branches of the board's tasks
};
void describe(auto& field, WorkspaceSpec const*) {
  field(&WorkspaceSpec::repo, "repo");
  field(&WorkspaceSpec::directory, "directory");
  field(&WorkspaceSpec::branch, "branch");
  field(&WorkspaceSpec::place, "place");
  field(&WorkspaceSpec::title, "title");
  field(&WorkspaceSpec::origin, "origin");
  field(&WorkspaceSpec::data, "data");
  field(&WorkspaceSpec::filters, "filters");
  field(&WorkspaceSpec::folder, "folder");
  field(&WorkspaceSpec::board_branch, "board_branch");
  field(&WorkspaceSpec::branch_prefix, "branch_prefix");
}

/// The directory in which the agent works.
inline std::string place_of_agent(WorkspaceSpec const& spec) {
  return spec.folder.empty() ? spec.directory : spec.directory + "/" + spec.folder;
}

/// A work tree when a run began in it.
struct RunStart {
  std::string head;            ///< its commit
  std::string default_branch;  ///< of the board, or of the clone
  std::string tip;             ///< the commit of that branch
  std::string branch;          ///< the branch of the task's earlier runs
  std::string work_branch;     ///< the branch that the work tree is on
};
void describe(auto& field, RunStart const*) {
  field(&RunStart::head, "head");
  field(&RunStart::default_branch, "default_branch");
  field(&RunStart::tip, "tip");
  field(&RunStart::branch, "branch");
  field(&RunStart::work_branch, "work_branch");
}

/// The input of a supervising process: `spec.json` of the run directory. It contains the run's token, so its
/// mode is 0600.
struct RunSpec {
  core::RunId run = 0;
  core::TaskId task = 0;
  core::Epoch epoch = 0;
  std::string worker;
  std::string board;
  std::string agent;  ///< the id of its profile
  std::string url;
  std::string socket;
  std::string token;
  std::string program;
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string cwd;
  std::optional<core::WorkPlace> place;  ///< the work tree or repository, once it is known
  RunStart noted;                        ///< the work tree before the agent starts
  // Of a directory that the run shares with others:
  std::string head_before;               ///< the commit before the run; empty outside a repository
  std::vector<std::string> left_before;  ///< the uncommitted files before the run, see `uncommitted`
  Output output;
  UsageRule usage;
  core::Usage used_before;  ///< by earlier runs of the same session
  std::vector<std::vector<boost::json::value>> stop;
  std::map<std::string, ExitClass> exit;
  Timeouts timeouts;
  std::vector<FatalRule> fatal;
  std::vector<FailureRule> failures;
  std::string sign_in;  ///< how a person signs in to the program
  RunLimits limits;
  std::string records;                     ///< Andon's folder with the starts of runs
  std::optional<WorkspaceSpec> workspace;  ///< the work tree to prepare before the agent starts in it
  std::optional<TreeSetup> setup;          ///< of that work tree
  std::vector<std::string> secrets;        ///< in the files that were copied into it
  std::optional<SandboxSpec> sandbox;      ///< of the agent and of the checks
  std::vector<CheckSpec> checks;           ///< run after the agent ended
  std::vector<std::string> check_env;
  core::Duration check_limit{600'000};  ///< of each check
  core::ResourceLimits resources{};
  bool plans = false;  ///< it writes a plan: its changes of the work tree are put back
};
void describe(auto& field, RunSpec const*) {
  field(&RunSpec::run, "run");
  field(&RunSpec::task, "task");
  field(&RunSpec::epoch, "epoch");
  field(&RunSpec::worker, "worker");
  field(&RunSpec::board, "board");
  field(&RunSpec::agent, "agent");
  field(&RunSpec::url, "url");
  field(&RunSpec::socket, "socket");
  field(&RunSpec::token, "token");
  field(&RunSpec::program, "program");
  field(&RunSpec::argv, "argv");
  field(&RunSpec::env, "env");
  field(&RunSpec::cwd, "cwd");
  field(&RunSpec::head_before, "head_before");
  field(&RunSpec::left_before, "left_before");
  field(&RunSpec::output, "output");
  field(&RunSpec::usage, "usage");
  field(&RunSpec::used_before, "used_before");
  field(&RunSpec::stop, "stop");
  field(&RunSpec::exit, "exit");
  field(&RunSpec::timeouts, "timeouts");
  field(&RunSpec::fatal, "fatal");
  field(&RunSpec::failures, "failures");
  field(&RunSpec::sign_in, "sign_in");
  field(&RunSpec::limits, "limits");
  field(&RunSpec::records, "records");
  field(&RunSpec::workspace, "workspace");
  field(&RunSpec::setup, "setup");
  field(&RunSpec::sandbox, "sandbox");
  field(&RunSpec::checks, "checks");
  field(&RunSpec::check_env, "check_env");
  field(&RunSpec::check_limit, "check_limit");
  field(&RunSpec::resources, "resources");
  field(&RunSpec::plans, "plans");
}

/// The files in the work tree that never become work, because Andon copied them there.
inline std::vector<std::string> kept_out(RunSpec const& spec) {
  return spec.setup ? spec.setup->copy : std::vector<std::string>{};
}

}  // namespace andon::runner
