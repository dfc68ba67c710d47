#include "service/remote_runners.hpp"

#include <algorithm>
#include <ranges>

#include "reflect/json.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::string_view kNames = "runners";
constexpr std::string_view kRecord = "runner.";
constexpr std::string_view kStatus = "runner_status.";
constexpr std::string_view kAgentsOfServer = "server_agents.";

std::string key(std::string_view prefix, std::string_view name) { return std::string{prefix}.append(name); }

template <class T>
std::optional<T> kept(OperationContext& ctx, std::string const& setting) {
  auto const text = ctx.tx.setting(setting);
  if (!text || text->empty()) return std::nullopt;
  auto read = reflect::read_json<T>(*text, reflect::Unknown::ignore);
  return read ? std::optional{*std::move(read)} : std::nullopt;
}

void keep_names(OperationContext& ctx, std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : "\n") + name;
  ctx.tx.set_setting(kNames, text);
}

std::int64_t live_runs_of(OperationContext& ctx, std::string_view runner) {
  auto const runs = ctx.tx.live_runs();
  return std::ranges::count(runs, runner, &core::Run::runner);
}

bool has_agent(core::Runner const& runner, std::string const& agent) {
  auto const found = std::ranges::find(runner.agents, agent, &core::RunnerAgent::id);
  return found != runner.agents.end() && found->problem.empty();
}

/// The problems of these agents on the host of the runner, as the end of a sentence.
std::string problems_of(core::Runner const& runner, std::vector<std::string> const& agents) {
  std::string out;
  for (auto const& agent : agents) {
    auto const found = std::ranges::find(runner.agents, agent, &core::RunnerAgent::id);
    out += out.empty() ? ": " : "; ";
    out += found == runner.agents.end() ? "there is no agent profile \"" + agent + "\"" : found->problem;
  }
  return out;
}

template <class Range>
bool names(Range const& all, std::string const& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

std::vector<std::string> names_of_runners(OperationContext& ctx) {
  std::vector<std::string> out;
  auto const text = ctx.tx.setting(kNames).value_or("");
  for (auto const& name : std::views::split(text, '\n'))
    if (!name.empty()) out.emplace_back(std::string_view{name.begin(), name.end()});
  return out;
}

std::optional<core::Runner> runner_named(OperationContext& ctx, std::string_view name) {
  return kept<core::Runner>(ctx, key(kRecord, name));
}

core::RunnerStatus status_of(OperationContext& ctx, std::string_view name) {
  return kept<core::RunnerStatus>(ctx, key(kStatus, name)).value_or(core::RunnerStatus{});
}

void keep(OperationContext& ctx, core::Runner const& runner) {
  auto names = names_of_runners(ctx);
  if (std::ranges::find(names, runner.name) == names.end()) {
    names.push_back(runner.name);
    std::ranges::sort(names);
    keep_names(ctx, names);
  }
  ctx.tx.set_setting(key(kRecord, runner.name), reflect::to_json(runner));
}

void keep_status(OperationContext& ctx, std::string_view name, core::RunnerStatus const& status) {
  ctx.tx.set_setting(key(kStatus, name), reflect::to_json(status));
}

void forget_runner(OperationContext& ctx, std::string const& name) {
  auto names = names_of_runners(ctx);
  std::erase(names, name);
  keep_names(ctx, names);
  ctx.tx.set_setting(key(kRecord, name), "");
  ctx.tx.set_setting(key(kStatus, name), "");
}

bool is_alive(OperationContext& ctx, core::Runner const& runner) {
  if (runner.state == core::RunnerState::revoked) return false;
  auto const seen = status_of(ctx, runner.name).seen;
  return seen && ctx.now < *seen + core::kRunnerSilence;
}

void keep_agents_of_server(OperationContext& ctx, std::vector<std::string> const& agents) {
  std::string text;
  for (auto const& agent : agents) text += "\n" + agent;
  auto const setting = key(kAgentsOfServer, ctx.server);
  if (ctx.tx.setting(setting) != text + "\n") ctx.tx.set_setting(setting, text + "\n");
}

bool may_have_agent(OperationContext& ctx, std::string_view server, std::string const& agent) {
  auto const text = ctx.tx.setting(key(kAgentsOfServer, server));
  return !text || text->empty() || text->contains("\n" + agent + "\n");
}

std::vector<std::string> runners_with(OperationContext& ctx, std::string const& agent) {
  auto out = names_of_runners(ctx);
  std::erase_if(out, [&](std::string const& name) {
    auto const runner = runner_named(ctx, name);
    return !runner || runner->state == core::RunnerState::revoked ||
           std::ranges::find(runner->agents, agent, &core::RunnerAgent::id) == runner->agents.end();
  });
  return out;
}

bool has_runner_on_another_host(OperationContext& ctx) {
  return std::ranges::any_of(names_of_runners(ctx), [&](std::string const& name) {
    auto const runner = runner_named(ctx, name);
    return runner && runner->state != core::RunnerState::revoked;
  });
}

bool has_remote_runner(OperationContext& ctx) {
  return std::ranges::any_of(names_of_runners(ctx), [&](std::string const& name) {
    auto const runner = runner_named(ctx, name);
    return runner && is_alive(ctx, *runner);
  });
}

bool is_of_runner(OperationContext& ctx, core::Run const& run) {
  if (run.runner != ctx.caller.actor.name) return false;
  if (!run.pid) return true;
  auto const runner = runner_named(ctx, run.runner);
  auto const guard = ctx.tx.guard(run.id);
  return runner && guard && guard->host == runner->place;
}

std::optional<std::string> why_not_on(OperationContext& ctx, core::Runner const& runner,
                                      core::Worker const& worker) {
  auto const name = "runner \"" + runner.name + "\" ";
  if (runner.state != core::RunnerState::active)
    return name + "is " + std::string{core::kRunnerStateNames.at(static_cast<std::size_t>(runner.state))};
  if (!runner.workers.empty() && !names(runner.workers, worker.name))
    return name + "takes no work of worker \"" + worker.name + "\"";
  if (!runner.roles.empty() && !names(runner.roles, worker.role))
    return name + "takes no work of the role \"" + worker.role + "\"";
  auto const agents = core::agents_of(worker);
  if (std::ranges::none_of(agents, [&](auto const& agent) { return has_agent(runner, agent); }))
    return name + "can start no agent of worker \"" + worker.name + "\"" + problems_of(runner, agents);
  if (auto const used = live_runs_of(ctx, runner.name); used >= runner.slots)
    return name + "has " + std::to_string(used) + " of " + std::to_string(runner.slots) + " runs";
  return std::nullopt;
}

std::optional<std::string> why_not_on(core::Runner const& runner, core::Board const& board) {
  auto const found = std::ranges::find(runner.unusable, board.name, &core::RunnerRepository::board);
  if (found == runner.unusable.end()) return std::nullopt;
  return "runner \"" + runner.name + "\" cannot work in the repository of board \"" + board.name +
         "\": " + found->problem;
}

std::optional<std::string> why_no_agent(OperationContext& ctx, std::string const& agent) {
  if (!is_runner(ctx)) return std::nullopt;
  auto const runner = runner_named(ctx, ctx.server);
  if (runner && has_agent(*runner, agent)) return std::nullopt;
  return "runner \"" + std::string{ctx.server} + "\" cannot start the agent \"" + agent + "\"";
}

std::optional<std::string> remote_runner_for(OperationContext& ctx, core::Board const& board,
                                             core::Worker const& worker, std::string const& agent) {
  std::optional<std::string> best;
  std::int64_t most = 0;
  for (auto const& name : names_of_runners(ctx)) {
    auto const runner = runner_named(ctx, name);
    bool const takes_it = runner && is_alive(ctx, *runner) && has_agent(*runner, agent) &&
                          !why_not_on(ctx, *runner, worker) && !why_not_on(*runner, board);
    if (!takes_it) continue;
    auto const free = runner->slots - live_runs_of(ctx, name);
    if (free <= most) continue;
    most = free;
    best = name;
  }
  return best;
}

}  // namespace andon::service
