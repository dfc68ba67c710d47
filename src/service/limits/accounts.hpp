#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/model/account.hpp"
#include "core/model/worker.hpp"
#include "service/requests.hpp"

namespace andon::core {
struct Run;
}

namespace andon::service {

struct Accounts {
  std::vector<core::Account> items;
};
void describe(auto& field, Accounts const*) {
  field(&Accounts::items, "items", "Accounts that met a usage limit or are paused", core::always);
}

struct AccountRequest {
  std::string account;
};
void describe(auto& field, AccountRequest const*) {
  field(&AccountRequest::account, "account", "Agent profile that uses it", core::required);
}

struct PauseAccountRequest {
  std::string account;
  std::string reason;
};
void describe(auto& field, PauseAccountRequest const*) {
  field(&PauseAccountRequest::account, "account", "Agent profile that uses it", core::required);
  field(&PauseAccountRequest::reason, "reason", "Why, for those who wonder later");
}

core::Result<Accounts> list_accounts(OperationContext& ctx, NoRequest const&);
/// Starts nothing on the account until it is resumed. Runs that use it go on.
core::Result<core::Account> pause_account(OperationContext& ctx, PauseAccountRequest const& request);
/// Lets work be started on the account again at once.
core::Result<core::Account> resume_account(OperationContext& ctx, AccountRequest const& request);

/// The account of an agent profile; one without limits when the store has none.
core::Account account_of(OperationContext& ctx, std::string const& agent);
/// The first of the worker's agents whose account may be used now; empty for a worker without an agent.
/// Refuses with `NOTHING_TO_PICK` and the reason of each while all of them rest, are paused or have no slot.
core::Result<std::string> usable_agent(OperationContext& ctx, core::Worker const& worker);
/// The agent of a run: as recorded, or that of its worker.
std::string agent_of(OperationContext& ctx, core::Run const& run);
/// The report of a run on the limits of its account.
struct AccountReport {
  std::optional<core::Instant> resets_at;
  std::span<core::UsageWindow const> windows;
  bool is_overload = false;  ///< the service had no capacity; no limit of the account was met
};
/// Lets the account of a run rest, as after a usage limit without a known end. True for the first rest since
/// work went well.
bool rest_account(OperationContext& ctx, core::Run const& run, std::string const& reason);
/// Keeps what the end of a run reports of its account.
void learn_of_account(OperationContext& ctx, core::Run const& run, AccountReport const& report);
/// The engine's own pause of the account of a run. Nothing where its worker has no other agent.
bool pause_account_for_trouble(OperationContext& ctx, core::Run const& run);
/// Says so in the history where a rest is over.
void lift_limits(OperationContext& ctx);
/// Moves the rests that the engine set because a provider named no end. The ends that providers name are
/// times of the calendar.
void move_rests(OperationContext& ctx, core::Duration by);

}  // namespace andon::service
