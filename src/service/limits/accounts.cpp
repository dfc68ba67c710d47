#include "service/limits/accounts.hpp"

#include <algorithm>
#include <set>

#include "reflect/json.hpp"
#include "service/check_text.hpp"
#include "service/event_log.hpp"
#include "service/remote_runners.hpp"
#include "store/engine/unit/unit.hpp"

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

/// The accounts of workers' agents that have met a limit or were paused. There are too many settings to look
/// through all.
std::vector<Account> known_accounts(OperationContext& ctx) {
  std::vector<Account> out;
  std::set<std::string> agents;
  for (auto const& worker : ctx.tx.workers())
    for (auto& agent : core::agents_of(worker)) agents.insert(std::move(agent));
  for (auto const& agent : agents)
    if (auto const text = ctx.tx.setting(key_of(agent))) out.push_back(account_in(agent, text));
  return out;
}

/// Live runs that use the account.
int running_on(OperationContext& ctx, std::string const& agent) {
  auto const runs = ctx.tx.live_runs();
  return static_cast<int>(
      std::ranges::count_if(runs, [&](core::Run const& run) { return agent_of(ctx, run) == agent; }));
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
  if (!account.paused) account.reason.clear();
  keep(ctx, account);
  tell_account(ctx, EventKind::limit_lifted, account);
}

/// Why nothing is started on the account, as a sentence.
std::string why_not(Account const& account, core::Instant now) {
  auto const name = "account \"" + account.name + "\" ";
  if (account.paused) return name + "is paused" + (account.reason.empty() ? "" : ": " + account.reason);
  if (core::is_limited(account, now))
    return name + "rests until " + core::to_text(*account.limited_until) + ": " +
           (!account.reason.empty() ? account.reason
            : account.overloaded    ? "the service of its model is at capacity"
                                    : "reached a usage limit");
  auto const slots = std::to_string(account.slots);
  auto const what = account.overloaded ? "an overload of the service of its model" : "a usage limit";
  return name + "recovers from " + what + " and has " + slots + " of " + slots + " runs";
}

void meet_limit(Account& account, core::Instant now, AccountReport const& report, int running) {
  if (report.is_overload) return core::meet_overload(account, now, running);
  core::reach_limit(account, now, core::end_of_limit(account, report.resets_at, report.windows, now),
                    running);
}

Account set_account_paused(OperationContext& ctx, std::string const& agent, std::string const& reason) {
  auto account = account_of(ctx, agent);
  account.paused = true;
  account.reason = reason;
  keep(ctx, account);
  tell_account(ctx, EventKind::limit_reached, account);
  return account;
}

}  // namespace

Account account_of(OperationContext& ctx, std::string const& agent) {
  return account_in(agent, ctx.tx.setting(key_of(agent)));
}

std::string agent_of(OperationContext& ctx, core::Run const& run) {
  if (!run.agent.empty()) return run.agent;
  auto const* worker = ctx.tx.worker(run.worker);
  return worker ? worker->agent : std::string{};
}

Result<std::string> usable_agent(OperationContext& ctx, core::Worker const& worker) {
  std::string reasons;
  auto const agents = core::agents_of(worker);
  for (auto const& agent : agents) {
    if (auto const missing = why_no_agent(ctx, agent)) {
      reasons += (reasons.empty() ? "" : "; ") + *missing;
      continue;
    }
    auto const account = account_of(ctx, agent);
    int const running = account.slots == 0 ? 0 : running_on(ctx, agent);
    if (core::may_start(account, ctx.now, running)) return agent;
    reasons += (reasons.empty() ? "" : "; ") + why_not(account, ctx.now);
  }
  if (agents.empty()) return std::string{};
  return core::refuse(Code::kNothingToPick, reasons);
}

void learn_of_account(OperationContext& ctx, core::Run const& run, AccountReport const& report) {
  auto const agent = agent_of(ctx, run);
  if (agent.empty() || !run.outcome) return;
  auto account = account_of(ctx, agent);
  core::learn_windows(account, report.windows, ctx.now);
  if (*run.outcome == core::Outcome::rate_limited) {
    // An overload is no news about an account that rests until the end of a limit.
    bool const rests_for_limit = core::is_limited(account, ctx.now) && !account.overloaded;
    meet_limit(account, ctx.now, report, running_on(ctx, agent) + 1);
    if (!report.is_overload || !rests_for_limit) account.reason = run.reason;
    keep(ctx, account);
    tell_account(ctx, EventKind::limit_reached, account);
  } else if (*run.outcome == core::Outcome::succeeded && (account.slots > 0 || account.strikes > 0)) {
    core::work_went_well(account);
    keep(ctx, account);
  } else if (!report.windows.empty()) {
    keep(ctx, account);
  }
}

bool pause_account_for_trouble(OperationContext& ctx, core::Run const& run) {
  auto const* worker = ctx.tx.worker(run.worker);
  if (!worker || core::agents_of(*worker).size() < 2) return false;
  auto engine = as_system(ctx);
  set_account_paused(engine, agent_of(ctx, run), run.reason);
  return true;
}

bool rest_account(OperationContext& ctx, core::Run const& run, std::string const& reason) {
  auto const agent = agent_of(ctx, run);
  auto account = account_of(ctx, agent);
  bool const is_first = account.strikes == 0;
  core::reach_limit(account, ctx.now, std::nullopt, running_on(ctx, agent) + 1);
  account.reason = reason;
  keep(ctx, account);
  tell_account(ctx, EventKind::limit_reached, account);
  return is_first;
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

Result<Account> pause_account(OperationContext& ctx, PauseAccountRequest const& r) {
  if (!r.reason.empty()) ANDON_CHECK(check_text(r.reason, "reason", kNoteBytes));
  bool const is_used = std::ranges::any_of(ctx.tx.workers(), [&](core::Worker const& worker) {
    auto const agents = core::agents_of(worker);
    return std::ranges::find(agents, r.account) != agents.end();
  });
  if (!is_used)
    return core::refuse(Code::kNotFound, "no worker uses the account \"" + r.account + "\"", "account");
  return set_account_paused(ctx, r.account, r.reason);
}

Result<Account> resume_account(OperationContext& ctx, AccountRequest const& r) {
  auto const known = known_accounts(ctx);
  auto const found = std::ranges::find(known, r.account, &Account::name);
  if (found == known.end())
    return core::refuse(Code::kNotFound,
                        "account \"" + r.account + "\" has met no usage limit and is not paused", "account");
  auto account = *found;
  account.slots = account.regain = account.strikes = 0;
  account.overloaded = false;
  bool const rested = account.limited_until || account.paused;
  account.paused = false;
  if (rested)
    lift(ctx, account);
  else
    keep(ctx, account);
  return account;
}

}  // namespace andon::service
