#pragma once

#include "core/model/work_place.hpp"
#include "core/runs/outcome.hpp"
#include "service/requests.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_brief.hpp"
#include "service/tasks/agent_report.hpp"

namespace andon::service {

struct RunRequest {
  core::RunId id = 0;
};
BOOST_DESCRIBE_STRUCT(RunRequest, (), (id))
inline constexpr core::Field kRunIdField{"id", "Number of the run", core::required};
inline constexpr std::array kRunRequestFields{kRunIdField};
constexpr auto const& fields(RunRequest const*) { return kRunRequestFields; }

struct Runs {
  std::vector<core::Run> items;
};
BOOST_DESCRIBE_STRUCT(Runs, (), (items))
inline constexpr std::array kRunsFields{core::Field{"items", "The runs", core::always}};
constexpr auto const& fields(Runs const*) { return kRunsFields; }

struct ListRunsRequest {
  std::optional<TaskRef> id;
  bool live = false;
};
BOOST_DESCRIBE_STRUCT(ListRunsRequest, (), (id, live))
inline constexpr std::array kListRunsFields{
    core::Field{"id", "Only runs of this task"},
    core::Field{"live", "Only runs that have not ended", core::set_only}};
constexpr auto const& fields(ListRunsRequest const*) { return kListRunsFields; }

core::Result<core::Run> get_run(OperationContext& ctx, RunRequest const& request);
core::Result<Runs> list_runs(OperationContext& ctx, ListRunsRequest const& request);
core::Result<Runs> runs_of_task(OperationContext& ctx, TaskRequest const& request);

/// Marks a run as being executed: the task goes to active, the run's token hash is stored.
struct BeginRunRequest {
  core::RunId id = 0;
  std::string token_hash;  ///< SHA-256 of the run's token in hex
};
BOOST_DESCRIBE_STRUCT(BeginRunRequest, (), (id, token_hash))
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
BOOST_DESCRIBE_STRUCT(AdoptRunRequest, (), (id, pid, process, guard))
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
BOOST_DESCRIBE_STRUCT(FinishRunRequest, (),
                      (id, stopped_because, has_result, result_is_error, result, exit, session, branch,
                       commits, files_changed, usage, resets_at, checks, base, head, diff_size))
inline constexpr std::array kFinishRunFields{
    kRunIdField,
    core::Field{"stopped_because", "Why the runner stopped it, if it did"},
    core::Field{"has_result", "Whether the agent's program gave a final result", core::set_only},
    core::Field{"result_is_error", "Whether that result is an error", core::set_only},
    core::Field{"result", "The agent's last words"},
    core::Field{"exit", "How the process ended"},
    core::Field{"session", "The agent's own session id"},
    core::Field{"branch", "Branch it worked on"},
    core::Field{"commits", "Commits it made"},
    core::Field{"files_changed", "How many files it changed", core::set_only},
    core::Field{"usage", "Tokens and money"},
    core::Field{"resets_at", "When a usage limit ends"},
    core::Field{"checks", "What the verification commands gave"},
    core::Field{"base", "Commit its work is compared with"},
    core::Field{"head", "Commit its work came to"},
    core::Field{"diff_size", "Size of the change from base to head"}};
constexpr auto const& fields(FinishRunRequest const*) { return kFinishRunFields; }

/// Ends a run when no process of it is left, and does to its task what the outcome asks for. Ending it again
/// changes nothing.
core::Result<core::Run> finish_run(OperationContext& ctx, FinishRunRequest const& request);

struct UsageRequest {
  core::RunId id = 0;
  std::optional<core::Usage> usage;
};
BOOST_DESCRIBE_STRUCT(UsageRequest, (), (id, usage))
inline constexpr std::array kUsageRequestFields{kRunIdField,
                                                core::Field{"usage", "Tokens and money of the run so far"}};
constexpr auto const& fields(UsageRequest const*) { return kUsageRequestFields; }
core::Result<core::Run> report_usage(OperationContext& ctx, UsageRequest const& request);

}  // namespace andon::service
