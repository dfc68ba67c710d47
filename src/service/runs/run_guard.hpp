#pragma once

#include "core/model/work_place.hpp"
#include "service/runs/runs.hpp"

namespace andon::service {

/// The private record of a run; empty for a run that was started before such records existed.
core::Result<core::RunGuard> get_run_guard(OperationContext& ctx, RunRequest const& request);

/// Until when a live run holds its claim, as far as it was renewed.
struct RunLease {
  core::RunId run = 0;
  core::Instant expires{};
};
void describe(auto& field, RunLease const*) {
  field(&RunLease::run, "run");
  field(&RunLease::expires, "expires");
}
struct RunLeases {
  std::vector<RunLease> items;  ///< without the runs whose claim has ended
};
void describe(auto& field, RunLeases const*) { field(&RunLeases::items, "items"); }
core::Result<RunLeases> list_leases(OperationContext& ctx, NoRequest const& request);

struct WorkPlaceRequest {
  core::RunId id = 0;
  core::WorkPlace place;
};
void describe(auto& field, WorkPlaceRequest const*) {
  field(&WorkPlaceRequest::id, kRunIdField);
  field(&WorkPlaceRequest::place, "place", "The directories of its work tree");
}
/// Keeps which directories a run's work tree consists of, before its agent begins. Only the supervising
/// process may tell, and only once.
core::Result<core::Run> keep_work_place(OperationContext& ctx, WorkPlaceRequest const& request);

/// The work tree that was made for the task's last run that had one.
std::optional<core::WorkPlace> place_of(OperationContext& ctx, core::TaskId task);
/// The branch on which the task's runs worked; empty for none.
std::string branch_of(OperationContext& ctx, core::TaskId task);

}  // namespace andon::service
