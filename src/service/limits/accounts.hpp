#pragma once

#include <vector>

#include "core/model/account.hpp"
#include "core/model/worker.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct Accounts {
  std::vector<core::Account> items;
};
void describe(auto& field, Accounts const*) {
  field(&Accounts::items, "items", "Accounts that met a usage limit", core::always);
}

struct AccountRequest {
  std::string account;
};
void describe(auto& field, AccountRequest const*) {
  field(&AccountRequest::account, "account", "Agent profile that uses it", core::required);
}

core::Result<Accounts> list_accounts(OperationContext& ctx, NoRequest const&);
/// Lets work be started on the account again at once.
core::Result<core::Account> resume_account(OperationContext& ctx, AccountRequest const& request);

/// The account of an agent profile; one without limits when the store has none.
core::Account account_of(OperationContext& ctx, std::string const& agent);
/// Refuses with `NOTHING_TO_PICK` while the worker's account rests or has no slot left.
core::Result<void> check_account(OperationContext& ctx, core::Worker const& worker);
/// Keeps what the end of a run tells of its account.
void learn_of_account(OperationContext& ctx, core::Run const& run, std::optional<core::Instant> resets_at);
/// Says so in the history where a rest is over.
void lift_limits(OperationContext& ctx);
/// Moves the rests that the engine set because a provider named no end. The ends that providers name are
/// times of the calendar.
void move_rests(OperationContext& ctx, core::Duration by);

}  // namespace andon::service
