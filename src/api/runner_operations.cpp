#include <algorithm>
#include <array>

#include "api/operation.hpp"
#include "api/workspace_port.hpp"
#include "core/model/task.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/limits/machine.hpp"
#include "service/runners/run_documents.hpp"
#include "service/runners/runners.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/attachments.hpp"
#include "service/workers/workers.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;
using service::Stored;

std::span<Operation const> runner_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_runners>({
          .name = "list_runners", .method = get, .path = "/runners",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "List the runners with their hosts, slots and last reports.",
          .command = {.words = "runners list"},
      }),
      op<&service::add_runner>({
          .name = "add_runner", .method = post, .path = "/runners",
          .effect = write, .surfaces = http, .access = Access::admin,
          .summary = "Make a runner for another host, with a token of its own.",
          .status = 201,
      }),
      op<&service::register_runner>({
          .name = "register_runner", .method = post, .path = "/runners/register",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::runner,
          .summary = "Say that the program of a runner has started.",
      }),
      op<&service::report_runner>({
          .name = "report_runner", .method = post, .path = "/runners/report",
          .effect = write, .stores = Stored::report, .surfaces = http, .access = Access::runner,
          .summary = "Say how a runner is, and learn what it is to do.",
      }),
      op<&service::pause_runner>({
          .name = "pause_runner", .method = post, .path = "/runners/{name}/pause",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Start nothing on a runner until it is resumed; its runs go on.",
          .command = {.words = "runners pause", .positional = "name",
                      .says = "Runner {name} is paused; its runs go on"},
      }),
      op<&service::resume_runner>({
          .name = "resume_runner", .method = post, .path = "/runners/{name}/resume",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Let a paused or draining runner take work again.",
          .command = {.words = "runners resume", .positional = "name",
                      .says = "Runner {name} takes work again"},
      }),
      op<&service::drain_runner>({
          .name = "drain_runner", .method = post, .path = "/runners/{name}/drain",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Start nothing more on a runner; its program ends after its last run.",
          .command = {.words = "runners drain", .positional = "name",
                      .says = "Runner {name} ends after its last run"},
      }),
      op<&service::revoke_runner>({
          .name = "revoke_runner", .method = post, .path = "/runners/{name}/revoke",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Make the token of a runner worthless; its agents end and their tasks go back.",
          .command = {.words = "runners revoke", .positional = "name",
                      .says = "The token of runner {name} is worth nothing any more"},
          .confirms = Confirms::on_terminal,
      }),
      op<&service::remove_runner>({
          .name = "remove_runner", .method = del, .path = "/runners/{name}",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Forget a runner that is revoked.",
          .command = {.words = "runners remove", .positional = "name", .says = "Removed runner {name}"},
      }),
      workspace_op<&service::run_documents, &WorkspacePort::documents>({
          .name = "run_documents", .method = get, .path = "/runs/{id}/documents",
          .effect = read, .surfaces = http, .access = Access::runner,
          .summary = "Get the role and the memory for the prompt of a run.",
      }),
      // clang-format on
  };
  return rows;
}

namespace {

/// Operations that a runner may call to read, beside its own operations. Of runs and leases it is told its
/// own only.
constexpr std::array kReadByRunners{
    of<&service::list_runs>,      of<&service::get_run>,     of<&service::list_workers>,
    of<&service::list_frozen>,    of<&service::list_boards>, of<&service::get_board>,
    of<&service::get_attachment>,
};
/// Operations in which the runner of a run reports on it.
constexpr std::array kToldByRunners{
    of<&service::finish_run>,
    of<&service::report_usage>,
    of<&service::keep_work_place>,
};

}  // namespace

bool may_call(service::Role role, Operation const& operation) {
  auto const is_in = [&](auto const& table) {
    return std::ranges::find(table, operation.function) != table.end();
  };
  switch (role) {
    case service::Role::run: return operation.access == Access::run;
    case service::Role::runner:
      return operation.access == Access::runner || is_in(kReadByRunners) || is_in(kToldByRunners);
    case service::Role::person: return operation.access == Access::run || operation.access == Access::person;
    case service::Role::admin:
    case service::Role::machine: break;
  }
  return true;
}

}  // namespace andon::api
