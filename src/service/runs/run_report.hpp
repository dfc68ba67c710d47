#pragma once

#include "core/model/work_place.hpp"
#include "core/runs/outcome.hpp"
#include "service/requests.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_brief.hpp"
#include "service/tasks/agent_report.hpp"

namespace andon::service {

inline constexpr core::Field kRunIdField{"id", "Number of the run", core::required};

struct RunRequest {
  core::RunId id = 0;
};
void describe(auto& field, RunRequest const*) { field(&RunRequest::id, kRunIdField); }

struct Runs {
  std::vector<core::Run> items;
};
void describe(auto& field, Runs const*) { field(&Runs::items, "items", "The runs", core::always); }

struct ListRunsRequest {
  std::optional<TaskRef> id;
  bool live = false;
};
void describe(auto& field, ListRunsRequest const*) {
  field(&ListRunsRequest::id, "id", "Only runs of this task");
  field(&ListRunsRequest::live, "live", "Only runs that have not ended", core::set_only);
}

core::Result<core::Run> get_run(OperationContext& ctx, RunRequest const& request);
core::Result<Runs> list_runs(OperationContext& ctx, ListRunsRequest const& request);
core::Result<Runs> runs_of_task(OperationContext& ctx, TaskRequest const& request);

/// Marks a run as being executed: the task goes to active, the run's token hash is stored.
struct BeginRunRequest {
  core::RunId id = 0;
  std::string token_hash;  ///< SHA-256 of the run's token in hex
};
void describe(auto& field, BeginRunRequest const*) {
  field(&BeginRunRequest::id, "id");
  field(&BeginRunRequest::token_hash, "token_hash");
}
core::Result<RunBrief> begin_run(OperationContext& ctx, BeginRunRequest const& request);

/// The run, when its supervising process asks, or somebody who is no run. What a run spent and how it ended
/// that process tells: the agent has the same token, but may not vouch for its own checks or take back what
/// it has spent.
core::Result<core::Run> supervised_run(OperationContext& ctx, core::RunId id);

struct AdoptRunRequest {
  core::RunId id = 0;
  std::int64_t pid = 0;
  std::string process;
  std::optional<core::RunGuard> guard{};  ///< at its start
};
void describe(auto& field, AdoptRunRequest const*) {
  field(&AdoptRunRequest::id, "id");
  field(&AdoptRunRequest::pid, "pid");
  field(&AdoptRunRequest::process, "process");
  field(&AdoptRunRequest::guard, "guard");
}
/// Records the supervising process of a run, before it begins or when a restarted server finds it alive.
core::Result<core::Run> adopt_run(OperationContext& ctx, AdoptRunRequest const& request);

struct FinishRunRequest {
  core::RunId id = 0;
  std::string stopped_because;
  bool has_result = false;
  bool result_is_error = false;
  std::string result;
  core::Exit exit;
  std::string session;
  std::string branch;
  std::vector<std::string> commits;
  int files_changed = 0;
  std::optional<core::Usage> usage;
  std::optional<core::Instant> resets_at;
  std::vector<core::CheckResult> checks;
  std::string base;
  std::string head;
  std::optional<core::DiffSize> diff_size{};
};
void describe(auto& field, FinishRunRequest const*) {
  field(&FinishRunRequest::id, kRunIdField);
  field(&FinishRunRequest::stopped_because, "stopped_because", "Why the runner stopped it, if it did");
  field(&FinishRunRequest::has_result, "has_result", "Whether the agent's program gave a final result",
        core::set_only);
  field(&FinishRunRequest::result_is_error, "result_is_error", "Whether that result is an error",
        core::set_only);
  field(&FinishRunRequest::result, "result", "The agent's last words");
  field(&FinishRunRequest::exit, "exit", "How the process ended");
  field(&FinishRunRequest::session, "session", "The agent's own session id");
  field(&FinishRunRequest::branch, "branch", "Branch it worked on");
  field(&FinishRunRequest::commits, "commits", "Commits it made");
  field(&FinishRunRequest::files_changed, "files_changed", "How many files it changed", core::set_only);
  field(&FinishRunRequest::usage, "usage", "Tokens and money");
  field(&FinishRunRequest::resets_at, "resets_at", "When a usage limit ends");
  field(&FinishRunRequest::checks, "checks", "What the verification commands gave");
  field(&FinishRunRequest::base, "base", "Commit its work is compared with");
  field(&FinishRunRequest::head, "head", "Commit its work came to");
  field(&FinishRunRequest::diff_size, "diff_size", "Size of the change from base to head");
}

/// Ends a run when no process of it is left, and does to its task what the outcome asks for. Ending it again
/// changes nothing.
core::Result<core::Run> finish_run(OperationContext& ctx, FinishRunRequest const& request);

struct UsageRequest {
  core::RunId id = 0;
  std::optional<core::Usage> usage;
};
void describe(auto& field, UsageRequest const*) {
  field(&UsageRequest::id, kRunIdField);
  field(&UsageRequest::usage, "usage", "Tokens and money of the run so far");
}
core::Result<core::Run> report_usage(OperationContext& ctx, UsageRequest const& request);

}  // namespace andon::service
