#pragma once

#include "core/model/fault.hpp"
#include "core/model/usage_window.hpp"
#include "service/runs/runs.hpp"

namespace andon::service {

struct FinishRunRequest {
  core::RunId id = 0;
  std::optional<core::StopReason> stopped_because;
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
  std::vector<core::LeftOut> left_out{};
  std::int64_t left_out_count = 0;
  std::vector<std::string> remarks{};
  std::int64_t peak_memory = 0;
  std::optional<core::Duration> cpu_time{};
  std::string excess{};
  std::vector<core::UsageWindow> windows{};
  std::string unfinished{};
  std::optional<core::Fault> fault{};
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
  field(&FinishRunRequest::left_out, "left_out", "The first paths that are left out of the work that lands");
  field(&FinishRunRequest::left_out_count, "left_out_count", "How many paths are left out of it",
        core::set_only);
  field(&FinishRunRequest::remarks, "remarks", "What a person should know of the work");
  field(&FinishRunRequest::peak_memory, "peak_memory", "Most memory of all its processes together, in bytes",
        core::set_only);
  field(&FinishRunRequest::cpu_time, "cpu_time", "Processor time of all its processes together");
  field(&FinishRunRequest::excess, "excess", "The limit of the machine that it exceeded, as a sentence");
  field(&FinishRunRequest::windows, "windows", "Windows of use of its account that its program named");
  field(&FinishRunRequest::unfinished, "unfinished", "What its program began and did not end, as a sentence");
  field(&FinishRunRequest::fault, "fault", "The fault that is not its task's own");
}

/// Whether a run left something that shows its work. Where the board has a repository, only what can be seen
/// counts: commits, changed files, created tasks, a verdict, or the report that no change was needed.
/// Elsewhere words and a passed check count as well.
bool has_evidence(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

/// Whether a planning run wrote no plan and left no text that could be one.
bool owes_plan(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

/// Applies the end of a run to its task: the act that waited for the agent to stop, or else the act that the
/// outcome requires. Does nothing when the claim of the task belongs to another run.
void apply_run_result(OperationContext& ctx, core::Run const& run, FinishRunRequest const& ending);

}  // namespace andon::service
