#include "service/workers/workers.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "service/about_field.hpp"
#include "service/check_text.hpp"
#include "service/given_field.hpp"
#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/machine.hpp"
#include "service/limits/quiet.hpp"
#include "service/limits/resources.hpp"
#include "service/remote_runners.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::WorkerStatus;

constexpr std::int64_t kMostCountedTasks = 1'000;
constexpr std::size_t kMostWords = 100;
constexpr std::size_t kMostAgents = 10;
constexpr std::array<std::string_view, 12> kColours{"azure",   "green",  "violet", "rose", "amber", "teal",
                                                    "magenta", "orange", "indigo", "lime", "cyan",  "slate"};

Result<void> check_one_of(std::optional<std::string> const& word, std::span<std::string_view const> allowed,
                          std::string field) {
  if (!word || std::ranges::find(allowed, *word) != allowed.end()) return {};
  std::string list;
  for (auto const one : allowed) list += (list.empty() ? "" : ", ") + std::string{one};
  return invalid("\"" + field + "\" must be one of " + list, field);
}

Result<void> check_request(PutWorkerRequest const& r) {
  if (!core::is_name(r.name)) return invalid("\"name\" must be 1 to 64 letters, digits, - _ or .", "name");
  ANDON_CHECK(check_one_of(r.colour, kColours, "colour"));
  ANDON_CHECK(check_one_of(r.permissions, core::kPermissionsNames, "permissions"));
  if (r.capacity && (*r.capacity < 1 || *r.capacity > 100))
    return invalid("\"capacity\" must be from 1 to 100", "capacity");
  if (r.role) ANDON_CHECK(check_role(*r.role));
  for (auto const& [text, field] : {std::pair{&r.title, "title"},
                                    {&r.agent, "agent"},
                                    {&r.model, "model"},
                                    {&r.prompt_file, "prompt_file"}})
    if (*text && !(*text)->empty()) ANDON_CHECK(check_words({**text}, field, 1));
  if (r.prompt && r.prompt->size() > 1'048'576) return invalid("\"prompt\" may have at most 1 MiB", "prompt");
  if (r.prompt && r.prompt->find('\0') != std::string::npos)
    return invalid("\"prompt\" must not contain NUL", "prompt");
  if (r.memory) ANDON_CHECK(check_words(*r.memory, "memory", kMostWords));
  if (r.tools) ANDON_CHECK(check_words(*r.tools, "tools", kMostWords));
  return {};
}

/// The first unused hue. A second worker of a role gets the hue of the first.
std::string next_colour(OperationContext& ctx, core::Worker const& worker) {
  auto const others = ctx.tx.workers();
  for (auto const& other : others)
    if (!worker.role.empty() && other.role == worker.role) return other.colour;
  for (auto const colour : kColours)
    if (std::ranges::none_of(others, [&](auto const& other) { return other.colour == colour; }))
      return std::string{colour};
  return std::string{kColours[others.size() % kColours.size()]};
}

core::Worker stored(OperationContext& ctx, core::Worker worker, std::string what,
                    std::string const& reason = {}) {
  ctx.tx.put(worker);
  core::Event event;
  event.kind = core::EventKind::worker_changed;
  Facts facts{{"worker", worker.name}, {"what", std::move(what)}};
  if (!reason.empty()) facts.emplace_back("reason", reason);
  append_event(ctx, std::move(event), facts);
  return with_light(ctx, std::move(worker));
}

Result<void> check_rev(OperationContext const& ctx, core::Worker const& worker) {
  if (!ctx.expected_rev || *ctx.expected_rev == worker.rev) return {};
  return core::refuse(core::Error{
      Code::kRevMismatch,
      "worker \"" + worker.name + "\" has changed since; read it again",
      "If-Match",
      {},
      {}}.with("rev", worker.rev));
}

/// One agent, or several in the order of preference. The first of several is the worker's agent.
Result<void> set_agents(PutWorkerRequest const& r, core::Worker& worker) {
  if (r.agents) {
    ANDON_TRY(worker.agents, check_words(*r.agents, "agents", kMostAgents));
    for (auto const& agent : worker.agents)
      if (!core::is_profile_name(agent))
        return invalid("\"agents\" must name agent profiles, such as claude@work", "agents");
  }
  if (r.agents && r.agent && !r.agents->empty() && !r.agent->empty() && *r.agent != r.agents->front())
    return invalid("give \"agent\" or \"agents\"; the first of \"agents\" is the agent", "agent");
  // A new single agent replaces the list, unless the list is given beside it.
  if (!r.agents && r.agent && *r.agent != worker.agent) worker.agents.clear();
  take(r.agent, worker.agent);
  if (!worker.agents.empty()) worker.agent = worker.agents.front();
  return {};
}

/// The boards by the names that they have, in whatever spelling they were given.
Result<std::vector<std::string>> names_of_boards(OperationContext& ctx,
                                                 std::vector<std::string> const& asked) {
  ANDON_TRY(auto names, check_words(asked, "boards", kMostWords));
  for (auto& name : names) {
    if (name == "*") continue;
    ANDON_TRY(auto const* board, about_field("boards", find_board(ctx, name)));
    name = board->name;
  }
  return check_words(std::move(names), "boards", kMostWords);
}

Result<core::Worker> set_paused(OperationContext& ctx, std::string const& name, bool paused,
                                std::string const& reason = {}) {
  ANDON_TRY(auto worker, find_worker(ctx, name));
  ANDON_CHECK(check_rev(ctx, worker));
  if (worker.paused == paused) return with_light(ctx, std::move(worker));
  worker.paused = paused;
  worker.paused_because = reason;
  if (!paused) worker.resumed = ctx.now;
  worker.rev = core::next(worker.rev);
  return stored(ctx, std::move(worker), paused ? "paused" : "resumed", reason);
}

}  // namespace

Result<core::Worker> with_settings(OperationContext& ctx, core::Worker worker, PutWorkerRequest const& r) {
  ANDON_CHECK(check_request(r));
  ANDON_CHECK(check_budget(ctx, r.budget));
  if (r.plan) ANDON_CHECK(check_may_ask_for_plan(ctx));
  if (r.boards) ANDON_SET(worker.boards, names_of_boards(ctx, *r.boards));
  take(r.role, worker.role);
  take(r.title, worker.title);
  ANDON_CHECK(set_agents(r, worker));
  take(r.model, worker.model);
  take(r.colour, worker.colour);
  take(r.prompt, worker.prompt);
  take(r.prompt_file, worker.prompt_file);
  take(r.memory, worker.memory);
  take(r.tools, worker.tools);
  take(r.conversation, worker.conversation);
  take(r.capacity, worker.capacity);
  take(r.takes_unassigned, worker.takes_unassigned);
  take(r.plan, worker.plan);
  if (r.permissions) reflect::TextForm<core::Permissions>::read(*r.permissions, worker.permissions);
  set_budget(r.budget, worker.budget);
  ANDON_CHECK(set_limits(r.limits, worker.limits));
  ANDON_CHECK(set_quiet(ctx, r.quiet, worker.quiet));
  return worker;
}

/// Tells the first end of a rest among the accounts of the worker's agents, where one has an end.
void tell_first_end(OperationContext& ctx, core::Worker& worker) {
  for (auto const& agent : core::agents_of(worker)) {
    auto const account = account_of(ctx, agent);
    if (account.paused || !core::is_limited(account, ctx.now)) continue;
    if (worker.limited_until && *worker.limited_until <= *account.limited_until) continue;
    worker.limited_until = account.limited_until;
    worker.overloaded = account.overloaded;
  }
}

WorkerStatus light_of_run(OperationContext& ctx, core::Run const& run) {
  auto const* board = ctx.tx.board(run.board);
  auto const quiet = ctx.now - run.progress.value_or(run.started);
  if (!board) return WorkerStatus::working;
  auto const is_over = [&](core::Duration limit) { return limit > core::Duration{} && quiet >= limit; };
  if (is_over(board->stale_after)) return WorkerStatus::stale;
  return is_over(board->silent_after) ? WorkerStatus::silent : WorkerStatus::working;
}

Lights::Lights(OperationContext& ctx) : ctx_(ctx), frozen_(frozen_now(ctx)), live_(ctx.tx.live_runs()) {}

core::Worker Lights::on(core::Worker worker) const {
  auto const agent = usable_agent(ctx_, worker);
  if (agent && *agent != worker.agent) worker.uses = *agent;
  if (!agent) tell_first_end(ctx_, worker);
  worker.state = worker.paused ? WorkerStatus::paused : agent ? WorkerStatus::idle : WorkerStatus::limited;
  for (auto const id : ctx_.tx.claims_of(worker.name, ctx_.now)) {
    auto const task = ctx_.tx.task(id);
    worker.task = id;
    worker.since = task ? task->claimed_at : std::nullopt;
    worker.state = WorkerStatus::working;
    break;
  }
  for (auto const& run : live_) {
    if (run.worker != worker.name) continue;
    worker.task = run.task;
    worker.since = run.started;
    bool const stands = is_frozen(frozen_, run.board, worker.name) || stands_still_since(ctx_, run);
    worker.state = stands ? WorkerStatus::paused : light_of_run(ctx_, run);
    break;
  }
  worker.queued = ctx_.tx.waiting("w:" + worker.name, kMostCountedTasks);
  if (!worker.role.empty()) worker.queued += ctx_.tx.waiting("r:" + worker.role, kMostCountedTasks);
  return worker;
}

Result<Workers> list_workers(OperationContext& ctx, NoRequest const&) {
  Workers out;
  Lights const lights{ctx};
  for (auto& worker : ctx.tx.workers()) out.items.push_back(lights.on(std::move(worker)));
  return out;
}

Result<core::Worker> get_worker(OperationContext& ctx, WorkerRequest const& r) {
  ANDON_TRY(auto worker, find_worker(ctx, r.name));
  return with_light(ctx, std::move(worker));
}

namespace {

/// Names the agents that no machine has: their work waits for a runner with such a profile.
core::Worker with_remarks(OperationContext& ctx, core::Worker worker) {
  auto const servers = servers_with_runner(ctx);
  for (auto const& agent : core::agents_of(worker)) {
    bool const is_on_server =
        std::ranges::any_of(servers, [&](auto const& server) { return may_have_agent(ctx, server, agent); });
    if (is_on_server || !has_runner_on_another_host(ctx) || !runners_with(ctx, agent).empty()) continue;
    worker.warnings.push_back("no machine has the agent profile \"" + agent +
                              "\" yet: its tasks wait for a runner that has it");
  }
  return worker;
}

}  // namespace

Result<core::Worker> add_worker(OperationContext& ctx, PutWorkerRequest const& r) {
  for (auto const& other : ctx.tx.workers())
    if (core::same_name(other.name, r.name))
      return core::refuse(Code::kWorkerAlreadyExists,
                          "there is already a worker \"" + other.name + "\"" +
                              (other.name == r.name ? "" : "; names must differ in more than case, - and _"),
                          "name");
  core::Worker worker;
  worker.name = r.name;
  worker.title = r.name;
  worker.created = ctx.now;
  ANDON_SET(worker, with_settings(ctx, std::move(worker), r));
  if (worker.colour.empty()) worker.colour = next_colour(ctx, worker);
  return with_remarks(ctx, stored(ctx, std::move(worker), "added"));
}

Result<core::Worker> edit_worker(OperationContext& ctx, PutWorkerRequest const& r) {
  ANDON_TRY(auto worker, find_worker(ctx, r.name));
  ANDON_CHECK(check_rev(ctx, worker));
  ANDON_SET(worker, with_settings(ctx, std::move(worker), r));
  worker.rev = core::next(worker.rev);
  return with_remarks(ctx, stored(ctx, std::move(worker), "edited"));
}

Result<core::Worker> pause_worker(OperationContext& ctx, PauseWorkerRequest const& r) {
  if (!r.reason.empty()) ANDON_CHECK(check_text(r.reason, "reason", kNoteBytes));
  return set_paused(ctx, r.name, true, r.reason);
}
void pause_for_trouble(OperationContext& ctx, std::string const& name, std::string const& reason) {
  auto engine = as_system(ctx);
  engine.expected_rev.reset();
  static_cast<void>(set_paused(engine, name, true, reason));
}
Result<core::Worker> resume_worker(OperationContext& ctx, WorkerRequest const& r) {
  return set_paused(ctx, r.name, false);
}

Result<RemovedWorker> remove_worker(OperationContext& ctx, WorkerRequest const& r) {
  ANDON_TRY(auto const worker, find_worker(ctx, r.name));
  for (auto const& run : ctx.tx.live_runs())
    if (run.worker == worker.name)
      return core::refuse(core::Error{
          Code::kWorkerBusy,
          "worker \"" + worker.name + "\" works on task #" + std::to_string(run.task) + "; kill it first",
          {},
          {},
          {}}.with("worker", worker.name)
                              .with("task", run.task));
  ctx.tx.remove_worker(worker.name);
  core::Event event;
  event.kind = core::EventKind::worker_changed;
  append_event(ctx, std::move(event), {{"worker", worker.name}, {"what", "removed"}});
  return RemovedWorker{worker.name, "removed"};
}

std::vector<core::Worker> lit_workers(OperationContext& ctx) {
  Lights const lights{ctx};
  auto out = ctx.tx.workers();
  for (auto& worker : out) worker = lights.on(std::move(worker));
  return out;
}

std::optional<core::Worker> lit_worker(OperationContext& ctx, std::string_view name) {
  auto const* const worker = ctx.tx.worker(name);
  if (!worker) return std::nullopt;
  return with_light(ctx, *worker);
}

}  // namespace andon::service
