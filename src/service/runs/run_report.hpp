#pragma once

#include "core/model/work_place.hpp"
#include "service/runs/run_brief.hpp"
#include "service/runs/run_result.hpp"

namespace andon::service {

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

/// Ends a run when no process of it is left, and does to its task what the outcome asks for. Ending it again
/// changes nothing.
core::Result<core::Run> finish_run(OperationContext& ctx, FinishRunRequest const& request);

/// Takes all rights from the agent of a run.
void revoke_run_token(OperationContext& ctx, core::Run const& run);

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
