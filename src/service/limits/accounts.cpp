#include "service/limits/accounts.hpp"

#include <algorithm>
#include <set>

#include "reflect/json.hpp"
#include "service/event_log.hpp"

namespace andon::service {
namespace {

using core::Account;
using core::Code;
using core::EventKind;
using core::Result;

constexpr std::string_view kPrefix = "account.";

std::string key_of(std::string const& agent) { return std::string{kPrefix} + agent; }

Account account_in(std::string const& agent, std::optional<std::string> const& text) {
  Account account;
  if (text)
    if (auto const json = reflect::parse_json(*text))
      if (auto read = reflect::from_json<Account>(*json)) account = *std::move(read);
  account.name = agent;
  return account;
}

void keep(OperationContext& ctx, Account const& account) {
  ctx.tx.set_setting(key_of(account.name), reflect::to_json(account));
}

/// The accounts of workers' agents that have met a limit. There are too many settings to look through all.
std::vector<Account> known_accounts(OperationContext& ctx) {
  std::vector<Account> out;
  std::set<std::string> agents;
  for (auto const& worker : ctx.tx.workers()) agents.insert(worker.agent);
  for (auto const& agent : agents)
    if (auto const text = ctx.tx.setting(key_of(agent))) out.push_back(account_in(agent, text));
  return out;
}

/// Live runs that use the account.
int running_on(OperationContext& ctx, std::string const& agent) {
  auto const runs = ctx.tx.live_runs();
  return static_cast<int>(std::ranges::count_if(runs, [&](core::Run const& run) {
    auto const* worker = ctx.tx.worker(run.worker);
    return worker && worker->agent == agent;
  }));
}

void tell_account(OperationContext& ctx, EventKind kind, Account const& account) {
  core::Event event;
  event.kind = kind;
  Facts facts{{"account", account.name}};
  if (account.limited_until) facts.emplace_back("until", core::to_text(*account.limited_until));
  if (!account.reason.empty()) facts.emplace_back("reason", account.reason);
  append_event(ctx, std::move(event), facts);
}

void lift(OperationContext& ctx, Account& account) {
  account.limited_until.reset();
  account.reason.clear();
  keep(ctx, account);
  tell_account(ctx, EventKind::limit_lifted, account);
}

}  // namespace

Account account_of(OperationContext& ctx, std::string const& agent) {
  return account_in(agent, ctx.tx.setting(key_of(agent)));
}

Result<void> check_account(OperationContext& ctx, core::Worker const& worker) {
  auto const account = account_of(ctx, worker.agent);
  if (core::is_limited(account, ctx.now))
    return core::refuse(Code::kNothingToPick, "account \"" + account.name +
                                                  "\" reached a usage limit and rests until " +
                                                  core::to_text(*account.limited_until));
  if (account.slots == 0 || running_on(ctx, account.name) < account.slots) return {};
  return core::refuse(Code::kNothingToPick,
                      "account \"" + account.name + "\" recovers from a usage limit and has " +
                          std::to_string(account.slots) + " of " + std::to_string(account.slots) + " runs");
}

void learn_of_account(OperationContext& ctx, core::Run const& run, std::optional<core::Instant> resets_at) {
  auto const* worker = ctx.tx.worker(run.worker);
  if (!worker || !run.outcome) return;
  auto account = account_of(ctx, worker->agent);
  if (*run.outcome == core::Outcome::rate_limited) {
    core::reach_limit(account, ctx.now, resets_at, running_on(ctx, account.name) + 1);
    account.reason = run.reason;
    keep(ctx, account);
    tell_account(ctx, EventKind::limit_reached, account);
  } else if (*run.outcome == core::Outcome::succeeded && (account.slots > 0 || account.strikes > 0)) {
    core::work_went_well(account);
    keep(ctx, account);
  }
}

void lift_limits(OperationContext& ctx) {
  for (auto& account : known_accounts(ctx))
    if (account.limited_until && !core::is_limited(account, ctx.now)) lift(ctx, account);
}

void move_rests(OperationContext& ctx, core::Duration by) {
  for (auto& account : known_accounts(ctx)) {
    if (!account.limited_until || account.strikes == 0) continue;
    *account.limited_until += by;
    keep(ctx, account);
  }
}

Result<Accounts> list_accounts(OperationContext& ctx, NoRequest const&) {
  return Accounts{known_accounts(ctx)};
}

Result<Account> resume_account(OperationContext& ctx, AccountRequest const& r) {
  auto const known = known_accounts(ctx);
  auto const found = std::ranges::find(known, r.account, &Account::name);
  if (found == known.end())
    return core::refuse(Code::kNotFound, "account \"" + r.account + "\" has met no usage limit", "account");
  auto account = *found;
  account.slots = account.regain = account.strikes = 0;
  if (account.limited_until)
    lift(ctx, account);
  else
    keep(ctx, account);
  return account;
}

}  // namespace andon::service
