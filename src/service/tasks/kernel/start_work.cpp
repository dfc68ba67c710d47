#include "service/tasks/kernel/start_work.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

#include "core/tasks/plan_rule.hpp"
#include "reflect/json.hpp"
#include "service/limits/accounts.hpp"
#include "service/remote_runners.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::string_view kPaused = "dispatch.paused";
constexpr std::string_view kRunner = "dispatch.runner";
constexpr std::string_view kSlots = "dispatch.slots";
/// The texts of a setting that is on or off.
constexpr std::string_view kOn = "1";
constexpr std::string_view kOff = "0";

bool is_on(OperationContext& ctx, std::string_view setting) { return ctx.tx.setting(setting) == kOn; }
void set_on(OperationContext& ctx, std::string_view setting, bool on) {
  ctx.tx.set_setting(setting, on ? kOn : kOff);
}

void keep_runners(OperationContext& ctx, std::vector<std::string> const& all) {
  std::string text;
  for (auto const& name : all) text += (text.empty() ? "" : "\n") + name;
  ctx.tx.set_setting(kRunner, text.empty() ? kOff : text);
}

/// The runner that starts the agent: that of this server, or else one on another host that takes the work, or
/// that of another server.
Result<std::string> runner_for(OperationContext& ctx, core::Board const& board, core::Worker const& worker,
                               std::string const& agent) {
  auto all = servers_with_runner(ctx);
  std::erase_if(all, [&](auto const& server) { return !may_have_agent(ctx, server, agent); });
  if (is_runner(ctx) || std::ranges::find(all, ctx.server) != all.end()) return std::string{ctx.server};
  if (auto const remote = remote_runner_for(ctx, board, worker, agent)) return *remote;
  if (!all.empty()) return all.front();
  return core::refuse(Code::kConflict, "no runner takes work of worker \"" + worker.name + "\" on board \"" +
                                           board.name + "\" now; see: andon runners");
}

void open_run(OperationContext& ctx, Change& change, core::Worker const& worker, std::string agent,
              std::string runner) {
  auto& task = change.after;
  task.state.supervised = true;
  core::renew(task, lease_of(change.board, task), ctx.now);
  core::Run run;
  run.task = task.id;
  run.board = task.board;
  run.worker = worker.name;
  run.agent = std::move(agent);
  run.runner = std::move(runner);
  run.attempt = task.attempt;
  run.epoch = task.epoch;
  run.started = ctx.now;
  run.progress = ctx.now;
  run.plans = core::needs_plan(task, worker);
  task.run = ctx.tx.add(std::move(run));
}

}  // namespace

bool is_everything_paused(OperationContext& ctx) { return is_on(ctx, kPaused); }
void pause_everything(OperationContext& ctx, bool paused) { set_on(ctx, kPaused, paused); }

std::int64_t slots_of_server(OperationContext& ctx) {
  auto const text = ctx.tx.setting(kSlots);
  return text ? reflect::read_json<DispatchLimit>(*text, reflect::Unknown::ignore)
                    .value_or(DispatchLimit{})
                    .slots
              : 0;
}

void keep_slots(OperationContext& ctx, DispatchLimit const& limit) {
  ctx.tx.set_setting(kSlots, reflect::to_json(limit));
}

Result<void> check_slots(OperationContext& ctx, core::Board const& board) {
  auto const slots = slots_of_server(ctx);
  if (slots <= 0 && board.max_concurrent <= 0) return {};
  auto const runs = ctx.tx.live_runs();
  if (auto const all = std::ssize(runs); slots > 0 && all >= slots)
    return core::refuse(core::Error{
        Code::kNothingToPick,
        "this server already has " + std::to_string(all) + " of " + std::to_string(slots) + " runs",
        {},
        {},
        {}}.with("slots", slots));
  if (board.max_concurrent <= 0) return {};
  auto const used = std::ranges::count(runs, board.name, &core::Run::board);
  if (used < board.max_concurrent) return {};
  return core::refuse(Code::kNothingToPick, "board \"" + board.name + "\" already has " +
                                                std::to_string(used) + " of " +
                                                std::to_string(board.max_concurrent) + " runs");
}

bool is_dispatch_paused(OperationContext& ctx, core::Board const& board) {
  return is_everything_paused(ctx) || !board.auto_dispatch;
}

std::vector<std::string> servers_with_runner(OperationContext& ctx) {
  std::vector<std::string> out;
  auto const text = ctx.tx.setting(kRunner).value_or("");
  for (auto const& name : std::views::split(text, '\n'))
    if (std::string_view const one{name.begin(), name.end()}; !one.empty() && one != kOff)
      out.emplace_back(one == kOn ? kOnlyServer : one);
  return out;
}

void number_runs_after(OperationContext& ctx, core::RunId last) { ctx.tx.number_runs_after(last); }

void set_runner(OperationContext& ctx, bool present) {
  auto all = servers_with_runner(ctx);
  std::erase(all, ctx.server);
  if (present) all.emplace_back(ctx.server);
  keep_runners(ctx, all);
}

bool forget_gone_runners(OperationContext& ctx, std::set<std::string> const& living) {
  auto all = servers_with_runner(ctx);
  bool const has_gone = std::erase_if(all, [&](auto const& name) { return living.count(name) == 0; }) > 0;
  if (has_gone) keep_runners(ctx, all);
  return has_gone;
}

bool has_runner(OperationContext& ctx) {
  return is_runner(ctx) || !servers_with_runner(ctx).empty() || has_remote_runner(ctx);
}

Result<void> put_to_work(OperationContext& ctx, Change& change, core::Worker const& worker) {
  bool const runs = has_runner(ctx) && !worker.agent.empty();
  if (runs && has_live_run(ctx, change.before))
    return core::refuse(Code::kConflict, "its last agent has not ended yet; try again in a moment");
  ANDON_CHECK(take_claim(ctx, change, worker.name));
  if (!core::uses_capacity(change.before.stage)) ANDON_CHECK(check_capacity(ctx, worker, change.after.id));
  if (!runs) return {};
  auto agent = usable_agent(ctx, worker);
  if (!agent)
    return core::refuse(Code::kConflict,
                        "worker \"" + worker.name + "\" cannot start now: " + agent.error().message +
                            "; resume the account, or leave the task in a ready column until then");
  ANDON_TRY(auto runner, runner_for(ctx, change.board, worker, *agent));
  open_run(ctx, change, worker, *std::move(agent), std::move(runner));
  return {};
}

}  // namespace andon::service
