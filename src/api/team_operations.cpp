#include <array>

#include "api/workspace_port.hpp"
#include "service/access/access.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/dispatch.hpp"
#include "service/teams/team.hpp"
#include "service/teams/wanted_agents.hpp"
#include "service/workers/workers.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

namespace {

constexpr auto kVouch = &WorkspacePort::vouch;

Operation of_worker(Operation row) { return validated_by<&service::agents_wanted_by_worker, kVouch>(row); }
Operation of_team(Operation row) { return validated_by<&service::agents_wanted_by_team, kVouch>(row); }

}  // namespace

std::span<Operation const> team_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_workers>("list_workers", get, "/workers", read, all, Access::run, "List the workers with their lights.", {"workers list", "", ""}),
      of_worker(op<&service::add_worker>("add_worker", post, "/workers", write, cli_and_http, Access::person, "Add a worker.", {"workers add", "name", "Added worker {name}"}, 201)),
      op<&service::get_worker>("get_worker", get, "/workers/{name}", read, cli_and_http, Access::run, "Show one worker.", {"workers show", "name", ""}),
      of_worker(op<&service::edit_worker>("edit_worker", patch, "/workers/{name}", write, cli_and_http, Access::person, "Change a worker.", {"workers edit", "name", "Changed worker {name}"})),
      op<&service::remove_worker>("remove_worker", del, "/workers/{name}", destroy, cli_and_http, Access::person, "Remove a worker.", {"workers remove", "name", "Removed worker {name}"}),
      op<&service::pause_worker>("pause_worker", post, "/workers/{name}/pause", write, cli_and_http, Access::person, "Let a worker pick nothing more.", {"workers pause", "name", "Worker {name} is paused"}),
      op<&service::resume_worker>("resume_worker", post, "/workers/{name}/resume", write, cli_and_http, Access::person, "Let a worker pick again.", {"workers resume", "name", "Worker {name} picks again"}),
      op<&service::dispatch_status>("dispatch_status", get, "/dispatch", read, cli_and_http, Access::run, "Show whether workers pick by themselves.", {"dispatch status", "", ""}),
      op<&service::limit_dispatch>("limit_dispatch", put, "/dispatch/limit", write, cli_and_http, Access::person, "Set how many agents may work at once on all boards together.", {"dispatch limit", "slots", "At most {slots} runs at once (0 is no limit)"}),
      op<&service::list_frozen>("list_frozen", get, "/dispatch/frozen", read, http, Access::run, "Show whose agents stand still."),
      op<&service::freeze>("freeze", post, "/dispatch/freeze", write, cli_and_http, Access::person, "Stop agents where they are; they keep their claims.", {"freeze", "", ""}),
      op<&service::thaw>("thaw", post, "/dispatch/thaw", write, cli_and_http, Access::person, "Let frozen agents go on.", {"thaw", "", ""}),
      op<&service::list_accounts>("list_accounts", get, "/accounts", read, cli_and_http, Access::run, "List the accounts of agents that met a usage limit.", {"accounts list", "", ""}),
      op<&service::resume_account>("resume_account", post, "/accounts/{account}/resume", write, cli_and_http, Access::person, "Use an account again before its limit ends.", {"accounts resume", "account", "Account {name} is in use again"}),
      op<&service::set_dispatch>("set_dispatch", put, "/dispatch", write, http, Access::person, "Pause or resume dispatch of everything or of a board."),
      of_team(large(op<&service::apply_team>("apply_team", post, "/team", write, http, Access::person, "Make boards, workers and automations as they are described, all of it or nothing."))),
      op<&service::export_team>("export_team", get, "/team", read, http, Access::person, "Describe boards, workers and automations as apply_team takes them."),
      slow(op<&service::list_tokens>("list_tokens", get, "/tokens", read, cli_and_http, Access::admin, "List credentials.", {"token list", "", ""})),
      op<&service::create_token>("create_token", post, "/tokens", write, http, Access::admin, "Store a credential whose secret the caller made.", {}, 201),
      op<&service::offer_sign_in>("offer_sign_in", post, "/session/codes", write, http, Access::admin, "Store a one-time sign-in code that the caller made.", {}, 201),
      op<&service::revoke_token>("revoke_token", del, "/tokens/{id}", destroy, cli_and_http, Access::admin, "Revoke a credential.", {"token revoke", "id", "Revoked token {id}"}),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
