#include <array>

#include "api/operation.hpp"
#include "core/model/task.hpp"
#include "service/limits/machine.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/sweep.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;
using service::Stored;

std::span<Operation const> run_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_runs>({
          .name = "list_runs", .method = get, .path = "/runs",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "List recent runs.",
          .command = {.words = "runs", .positional = "id?"},
      }),
      op<&service::runs_of_task>({
          .name = "runs_of_task", .method = get, .path = "/tasks/{id}/runs",
          .effect = read, .surfaces = http, .access = Access::run,
          .summary = "List the runs of a task.",
      }),
      op<&service::get_run>({
          .name = "get_run", .method = get, .path = "/runs/{id}",
          .effect = read, .surfaces = http, .access = Access::run,
          .summary = "Show one run.",
      }),
      op<&service::finish_run>({
          .name = "finish_run", .method = post, .path = "/runs/{id}/finish",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::run,
          .summary = "End a run of which no process is left.",
          .fence = Fence::supervising,
      }),
      op<&service::report_usage>({
          .name = "report_usage", .method = post, .path = "/runs/{id}/usage",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::run,
          .summary = "Report that a run advances, with its tokens and money.",
          .fence = Fence::supervising,
      }),
      op<&service::dispatch_next>({
          .name = "dispatch_next", .method = post, .path = "/runs",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::runner,
          .summary = "Pick the next task of a worker and open its run.",
          .status = 201,
      }),
      op<&service::begin_run>({
          .name = "begin_run", .method = post, .path = "/runs/{id}/begin",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::runner,
          .summary = "Get what is needed to start a run.",
      }),
      op<&service::adopt_run>({
          .name = "adopt_run", .method = post, .path = "/runs/{id}/adopt",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::runner,
          .summary = "Record the supervising process of a run.",
      }),
      op<&service::get_run_guard>({
          .name = "get_run_guard", .method = get, .path = "/runs/{id}/guard",
          .effect = read, .surfaces = http, .access = Access::runner,
          .summary = "Get what is kept of a run and shown to nobody.",
      }),
      op<&service::report_machine>({
          .name = "report_machine", .method = put, .path = "/machine",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::runner,
          .summary = "Say how busy the machine of the runs is.",
      }),
      op<&service::report_agents>({
          .name = "report_agents", .method = put, .path = "/machine/agents",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Say which agent profiles the runner of this server has.",
      }),
      op<&service::list_leases>({
          .name = "list_leases", .method = get, .path = "/leases",
          .effect = read, .surfaces = http, .access = Access::runner,
          .summary = "List until when live runs hold their claims.",
      }),
      op<&service::keep_work_place>({
          .name = "keep_work_place", .method = post, .path = "/runs/{id}/place",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::run,
          .summary = "Keep which directories the work tree of a run consists of.",
      }),
      op<&service::sweep>({
          .name = "sweep", .method = post, .path = "/sweep",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Put back tasks whose claim is over.",
      }),
      op<&service::extend_leases>({
          .name = "extend_leases", .method = post, .path = "/grace",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Give every live claim one more lease.",
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
