#include <array>

#include "api/operation.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/sweep.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> run_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_runs>("list_runs", get, "/runs", read, cli_and_http, Access::run, "List recent runs.", {"runs", "id?", ""}),
      op<&service::runs_of_task>("runs_of_task", get, "/tasks/{id}/runs", read, http, Access::run, "List the runs of a task."),
      op<&service::get_run>("get_run", get, "/runs/{id}", read, http, Access::run, "Show one run."),
      fenced(Fence::supervising, op<&service::finish_run>("finish_run", post, "/runs/{id}/finish", write, http, Access::run, "End a run of which no process is left.")),
      fenced(Fence::supervising, op<&service::report_usage>("report_usage", post, "/runs/{id}/usage", write, http, Access::run, "Report that a run advances, with its tokens and money.")),
      op<&service::dispatch_next>("dispatch_next", post, "/runs", write, internal, Access::admin, "Pick the next task of a worker and open its run.", {}, 201),
      op<&service::begin_run>("begin_run", post, "/runs/{id}/begin", write, internal, Access::admin, "Get what is needed to start a run."),
      op<&service::adopt_run>("adopt_run", post, "/runs/{id}/adopt", write, internal, Access::admin, "Record the supervising process of a run."),
      op<&service::get_run_guard>("get_run_guard", get, "/runs/{id}/guard", read, internal, Access::admin, "Get what is kept of a run and shown to nobody."),
      op<&service::list_leases>("list_leases", get, "/runs/leases", read, internal, Access::admin, "List until when live runs hold their claims."),
      op<&service::keep_work_place>("keep_work_place", post, "/runs/{id}/place", write, http, Access::run, "Keep which directories the work tree of a run consists of."),
      op<&service::sweep>("sweep", post, "/sweep", write, internal, Access::admin, "Put back tasks whose claim is over."),
      op<&service::extend_leases>("extend_leases", post, "/grace", write, internal, Access::admin, "Give every live claim one more lease."),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
