#include <array>

#include "api/workspace_port.hpp"
#include "core/model/task.hpp"
#include "service/access/access.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/dispatch.hpp"
#include "service/teams/team.hpp"
#include "service/teams/wanted_on_machine.hpp"
#include "service/workers/workers.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

namespace {

constexpr auto kCheckWanted = &WorkspacePort::check_wanted;

}  // namespace

std::span<Operation const> team_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_workers>({
          .name = "list_workers", .method = get, .path = "/workers",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "List the workers with their lights.",
          .command = {.words = "workers list"},
          .tool = {.says = "Lists the workers: who is free, who works on what."},
      }),
      op<&service::add_worker>({
          .name = "add_worker", .method = post, .path = "/workers",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Add a worker.",
          .command = {.words = "workers add", .positional = "name", .says = "Added worker {name}",
                      .flags = {{.name = "quiet-hours", .field = "quiet"}}},
          .status = 201,
          .prepare = validated_by<&service::wanted_by_worker, kCheckWanted>(),
      }),
      op<&service::get_worker>({
          .name = "get_worker", .method = get, .path = "/workers/{name}",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Show one worker.",
          .command = {.words = "workers show", .positional = "name"},
      }),
      op<&service::edit_worker>({
          .name = "edit_worker", .method = patch, .path = "/workers/{name}",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Change a worker.",
          .command = {.words = "workers edit", .positional = "name", .says = "Changed worker {name}",
                      .flags = {{.name = "quiet-hours", .field = "quiet"}}},
          .prepare = validated_by<&service::wanted_by_worker, kCheckWanted>(),
      }),
      op<&service::remove_worker>({
          .name = "remove_worker", .method = del, .path = "/workers/{name}",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Remove a worker.",
          .command = {.words = "workers remove", .positional = "name", .says = "Removed worker {name}"},
          .confirms = Confirms::on_terminal,
      }),
      op<&service::pause_worker>({
          .name = "pause_worker", .method = post, .path = "/workers/{name}/pause",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Let a worker pick nothing more.",
          .command = {.words = "workers pause", .positional = "name", .says = "Worker {name} is paused"},
      }),
      op<&service::resume_worker>({
          .name = "resume_worker", .method = post, .path = "/workers/{name}/resume",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Let a worker pick again.",
          .command = {.words = "workers resume", .positional = "name", .says = "Worker {name} picks again"},
      }),
      op<&service::dispatch_status>({
          .name = "dispatch_status", .method = get, .path = "/dispatch",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Show whether workers pick by themselves.",
          .command = {.words = "dispatch status"},
      }),
      op<&service::limit_dispatch>({
          .name = "limit_dispatch", .method = put, .path = "/dispatch/limit",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Set how many agents may work at once on all boards together.",
          .command = {.words = "dispatch limit", .positional = "slots",
                      .says = "At most {slots} runs at once (0 is no limit)"},
      }),
      op<&service::list_frozen>({
          .name = "list_frozen", .method = get, .path = "/dispatch/frozen",
          .effect = read, .surfaces = http, .access = Access::run,
          .summary = "Show whose agents stand still.",
      }),
      op<&service::freeze>({
          .name = "freeze", .method = post, .path = "/dispatch/freeze",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Stop agents where they are; they keep their claims.",
          .command = {.words = "freeze"},
      }),
      op<&service::thaw>({
          .name = "thaw", .method = post, .path = "/dispatch/thaw",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Let frozen agents go on.",
          .command = {.words = "thaw"},
      }),
      op<&service::list_accounts>({
          .name = "list_accounts", .method = get, .path = "/accounts",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "List the accounts of agents that met a usage limit or are paused.",
          .command = {.words = "accounts list"},
      }),
      op<&service::pause_account>({
          .name = "pause_account", .method = post, .path = "/accounts/{account}/pause",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Start nothing on an account until it is resumed.",
          .command = {.words = "accounts pause", .positional = "account",
                      .says = "Account {name} is paused; its runs go on"},
      }),
      op<&service::resume_account>({
          .name = "resume_account", .method = post, .path = "/accounts/{account}/resume",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Use an account again before its limit ends.",
          .command = {.words = "accounts resume", .positional = "account",
                      .says = "Account {name} is in use again"},
      }),
      op<&service::list_faults>({
          .name = "list_faults", .method = get, .path = "/faults",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "List the boards and machines on which a fault keeps work from starting.",
          .command = {.words = "faults list"},
      }),
      op<&service::retry_fault>({
          .name = "retry_fault", .method = post, .path = "/faults/{scope}/{name}/retry",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Start work again on a board or a machine whose fault is mended.",
          .command = {.words = "faults retry", .positional = "scope name",
                      .says = "Work starts again on {scope} {name}"},
      }),
      op<&service::set_dispatch>({
          .name = "set_dispatch", .method = put, .path = "/dispatch",
          .effect = write, .surfaces = http, .access = Access::person,
          .summary = "Pause or resume dispatch of everything or of a board.",
      }),
      op<&service::apply_team>({
          .name = "apply_team", .method = post, .path = "/team",
          .effect = write, .surfaces = http, .access = Access::person,
          .summary = "Make boards, workers and automations as they are described, all of it or nothing.",
          .is_large = true,
          .prepare = validated_by<&service::wanted_by_team, kCheckWanted>(),
      }),
      op<&service::export_team>({
          .name = "export_team", .method = get, .path = "/team",
          .effect = read, .surfaces = http, .access = Access::person,
          .summary = "Describe boards, workers and automations as apply_team takes them.",
      }),
      op<&service::list_tokens>({
          .name = "list_tokens", .method = get, .path = "/tokens",
          .effect = read, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "List credentials.",
          .command = {.words = "token list"},
          .takes_long = &always,
      }),
      op<&service::create_token>({
          .name = "create_token", .method = post, .path = "/tokens",
          .effect = write, .surfaces = http, .access = Access::admin,
          .summary = "Store a credential whose secret the caller made.",
          .status = 201,
      }),
      op<&service::offer_sign_in>({
          .name = "offer_sign_in", .method = post, .path = "/session/codes",
          .effect = write, .surfaces = http, .access = Access::admin,
          .summary = "Store a one-time sign-in code that the caller made.",
          .status = 201,
      }),
      op<&service::revoke_token>({
          .name = "revoke_token", .method = del, .path = "/tokens/{id}",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Revoke a credential.",
          .command = {.words = "token revoke", .positional = "id", .says = "Revoked token {id}"},
          .confirms = Confirms::on_terminal,
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
