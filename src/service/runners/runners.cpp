#include "service/runners/runners.hpp"

#include <algorithm>
#include <set>

#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/access/access.hpp"
#include "service/check_text.hpp"
#include "service/event_log.hpp"
#include "service/limits/machine.hpp"
#include "service/remote_runners.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Runner;
using core::RunnerState;

constexpr std::size_t kMostRunners = 200;
constexpr int kMostSlots = 1'000;
/// A runner with a wrong number must not use up the numbers of runs.
/// Runs that a runner may know beyond the newest one of its server.
constexpr std::int64_t kMostUnknownRuns = 10'000;
constexpr std::size_t kMostListed = 200;
constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kLongestProblem = 500;
/// The time beyond its lease in which the processes of a runner that was cut off end.
constexpr core::Duration kEndsAfterLease = std::chrono::seconds{10};

Result<Runner> find_runner(OperationContext& ctx, std::string const& name) {
  auto runner = runner_named(ctx, name);
  if (runner) return *std::move(runner);
  return core::refuse(Code::kNotFound, "there is no runner \"" + name + "\"; see: andon runners", "name");
}

std::unexpected<core::Error> was_revoked(std::string const& name) {
  return core::refuse(Code::kUnauthenticated, "the token of runner \"" + name + "\" was revoked; stop it");
}

/// The runner that asks, which speaks only for itself.
Result<Runner> own_runner(OperationContext& ctx, std::string const& name) {
  if (is_runner(ctx) && ctx.caller.actor.name != name)
    return core::refuse(Code::kForbidden,
                        "this token is of runner \"" + ctx.caller.actor.name + "\"; it speaks for no other",
                        "name");
  ANDON_TRY(auto runner, find_runner(ctx, name));
  if (is_runner(ctx) && runner.state == RunnerState::revoked) return was_revoked(name);
  return runner;
}

/// The runner of the token where the request names none.
std::string name_in(OperationContext& ctx, std::string const& given) {
  return given.empty() && is_runner(ctx) ? ctx.caller.actor.name : given;
}

Result<void> check_lines(std::vector<std::string> const& lines, std::string const& field) {
  if (lines.size() > kMostListed)
    return core::refuse(Code::kInvalidInput, "\"" + field + "\" may have at most 200 entries", field);
  for (auto const& line : lines)
    if (line.empty() || line.size() > kLongestLine || core::is_unsafe_line(line))
      return core::refuse(Code::kInvalidInput,
                          "each of \"" + field + "\" must be one line of at most 200 bytes", field);
  return {};
}

/// The items of a report with problems that can be kept. A long problem must not make its runner seem gone.
template <class Item>
Result<std::vector<Item>> checked_items(std::vector<Item> items, std::string Item::* name,
                                        std::string const& field) {
  std::vector<std::string> names;
  for (auto& item : items) {
    names.push_back(item.*name);
    item.problem = core::beginning(core::keepable_text(std::move(item.problem)), kLongestProblem);
  }
  ANDON_CHECK(check_lines(names, field));
  return items;
}

Result<void> check_registration(RegisterRunnerRequest const& r) {
  if (r.protocol != kRunnerProtocol)
    return core::refuse(Code::kConflict,
                        "this runner (version " + r.version + ") speaks protocol " +
                            std::to_string(r.protocol) + ", the server protocol " +
                            std::to_string(kRunnerProtocol) + "; install the version of the server",
                        "protocol");
  if (r.slots < 1 || r.slots > kMostSlots)
    return core::refuse(Code::kInvalidInput, "\"slots\" must be from 1 to 1000", "slots");
  if (r.last_run < 0) return core::refuse(Code::kInvalidInput, "\"last_run\" must be 0 or more", "last_run");
  ANDON_CHECK(check_lines({r.host}, "host"));
  ANDON_CHECK(check_lines({r.place}, "place"));
  if (!r.version.empty()) ANDON_CHECK(check_lines({r.version}, "version"));
  ANDON_CHECK(check_lines(r.workers, "workers"));
  ANDON_CHECK(check_lines(r.roles, "roles"));
  ANDON_CHECK(check_lines(r.features, "features"));
  return {};
}

/// A runner knows runs that a server does not when the server's data come from a backup. One that could name
/// any number would use up all that are left.
Result<void> check_last_run(OperationContext& ctx, core::RunId last) {
  auto const newest = ctx.tx.recent_runs(1);
  auto const known = newest.empty() ? core::RunId{0} : newest.front().id;
  if (last <= known + kMostUnknownRuns) return {};
  return core::refuse(
      Code::kInvalidInput,
      "\"last_run\" is " + std::to_string(last) + ", but the newest run of this server is " +
          std::to_string(known) +
          "; if the runner belongs to another server, give it a data directory of its own for this "
          "one; if the data of this server come from a backup, make the directory work/runs/" +
          std::to_string(last) + " in them and start the server again",
      "last_run");
}

/// A name of a server would make its runs those of the runner.
bool is_of_server(OperationContext& ctx, std::string const& name) {
  if (name == kOnlyServer || name == ctx.server) return true;
  auto const all = servers_with_runner(ctx);
  return std::ranges::find(all, name) != all.end();
}

void tell(OperationContext& ctx, Runner const& runner, std::string_view what) {
  core::Event event;
  event.kind = core::EventKind::dispatch_changed;
  append_event(ctx, std::move(event), {{"runner", runner.name}, {"runner_state", std::string{what}}});
}

Result<Runner> set_state(OperationContext& ctx, std::string const& name, RunnerState state) {
  ANDON_TRY(auto runner, find_runner(ctx, name));
  if (runner.state == RunnerState::revoked && state != RunnerState::revoked)
    return core::refuse(Code::kConflict,
                        "the token of runner \"" + name +
                            "\" was revoked; make a new one with: andon runners "
                            "add " +
                            name,
                        "name");
  if (runner.state == state) return runner;
  runner.state = state;
  keep(ctx, runner);
  tell(ctx, runner, core::kRunnerStateNames.at(static_cast<std::size_t>(state)));
  return runner;
}

/// Of the agents that cannot start, only those that some worker uses matter to people.
void leave_out_unused(OperationContext& ctx, std::vector<core::RunnerAgent>& agents) {
  std::set<std::string> used;
  for (auto const& worker : ctx.tx.workers())
    for (auto& agent : core::agents_of(worker)) used.insert(std::move(agent));
  std::erase_if(agents, [&](core::RunnerAgent const& agent) {
    return !agent.problem.empty() && !used.contains(agent.id);
  });
}

RunnerView view(OperationContext& ctx, Runner runner) {
  RunnerView out;
  static_cast<Runner&>(out) = std::move(runner);
  leave_out_unused(ctx, out.agents);
  out.status = status_of(ctx, out.name);
  out.alive = is_alive(ctx, out);
  auto const runs = ctx.tx.live_runs();
  out.running = std::ranges::count(runs, out.name, &core::Run::runner);
  return out;
}

/// The runner of a server, of which the machine report is the record.
RunnerView view_of_server(OperationContext& ctx, std::string const& name) {
  RunnerView out;
  out.name = name;
  out.own = true;
  out.alive = true;
  auto const runs = ctx.tx.live_runs();
  out.running = std::ranges::count(runs, name, &core::Run::runner);
  out.slots = static_cast<int>(slots_of_server(ctx));
  if (name == ctx.server) out.memory = machine_of(ctx).memory;
  return out;
}

}  // namespace

Result<Runners> list_runners(OperationContext& ctx, NoRequest const&) {
  Runners out;
  for (auto const& name : servers_with_runner(ctx)) out.items.push_back(view_of_server(ctx, name));
  for (auto const& name : names_of_runners(ctx))
    if (auto runner = runner_named(ctx, name)) out.items.push_back(view(ctx, *std::move(runner)));
  return out;
}

Result<Runner> add_runner(OperationContext& ctx, AddRunnerRequest const& r) {
  if (!core::is_name(r.name))
    return core::refuse(Code::kInvalidInput,
                        "\"name\" must be 1 to 64 letters, digits, \"-\", \"_\" or \".\", and begin with a "
                        "letter or digit",
                        "name");
  if (is_of_server(ctx, r.name))
    return core::refuse(Code::kConflict,
                        "\"" + r.name + "\" is the name of a server with a runner; choose another one",
                        "name");
  auto const before = runner_named(ctx, r.name);
  if (before && before->state != RunnerState::revoked)
    return core::refuse(Code::kConflict,
                        "there is a runner \"" + r.name +
                            "\" already; choose another name, or revoke it "
                            "first with: andon runners revoke " +
                            r.name,
                        "name");
  if (!before && names_of_runners(ctx).size() >= kMostRunners)
    return core::refuse(Code::kConflict, "there are 200 runners already; remove one that is gone");
  ANDON_CHECK(keep_runner_token(ctx, r.name, r.hash));
  Runner runner;
  if (before) runner.incarnation = before->incarnation;
  runner.name = r.name;
  keep(ctx, runner);
  keep_status(ctx, r.name, {});
  tell(ctx, runner, "added");
  return runner;
}

Result<Runner> register_runner(OperationContext& ctx, RegisterRunnerRequest const& r) {
  ANDON_CHECK(check_registration(r));
  ANDON_TRY(auto runner, own_runner(ctx, name_in(ctx, r.name)));
  if (!runner.place.empty() && runner.place != r.place && is_alive(ctx, runner))
    return core::refuse(
        Code::kConflict,
        "runner \"" + runner.name + "\" is at work on host \"" + runner.host +
            "\"; give this host a runner of its own with: andon runners add NAME. If that host is gone, try "
            "again in half a minute",
        "name");
  ANDON_CHECK(check_last_run(ctx, r.last_run));
  ctx.tx.number_runs_after(r.last_run);
  ++runner.incarnation;
  runner.host = r.host;
  runner.place = r.place;
  runner.version = r.version;
  runner.slots = r.slots;
  runner.workers = r.workers;
  runner.roles = r.roles;
  runner.features = r.features;
  runner.processors = r.processors;
  runner.memory = r.memory;
  runner.agents.clear();
  runner.unusable.clear();
  runner.registered = ctx.now;
  // A program that is started again after it was drained is wanted.
  if (runner.state == RunnerState::draining) runner.state = RunnerState::active;
  keep(ctx, runner);
  keep_status(ctx, runner.name,
              {.seen = ctx.now, .load = 0, .memory_free = 0, .server = std::string{ctx.answered_by}});
  tell(ctx, runner, "registered");
  return runner;
}

Result<Runner> report_runner(OperationContext& ctx, ReportRunnerRequest const& r) {
  ANDON_TRY(auto runner, own_runner(ctx, name_in(ctx, r.name)));
  bool const has_news = r.agents || r.unusable;
  if (r.agents) ANDON_SET(runner.agents, checked_items(*r.agents, &core::RunnerAgent::id, "agents"));
  if (r.unusable)
    ANDON_SET(runner.unusable, checked_items(*r.unusable, &core::RunnerRepository::board, "unusable"));
  if (has_news) keep(ctx, runner);
  keep_status(ctx, runner.name,
              {.seen = ctx.now,
               .load = r.load,
               .memory_free = r.memory_free,
               .server = std::string{ctx.answered_by}});
  return runner;
}

Result<Runner> pause_runner(OperationContext& ctx, RunnerRequest const& r) {
  return set_state(ctx, r.name, RunnerState::paused);
}

Result<Runner> resume_runner(OperationContext& ctx, RunnerRequest const& r) {
  return set_state(ctx, r.name, RunnerState::active);
}

Result<Runner> drain_runner(OperationContext& ctx, RunnerRequest const& r) {
  return set_state(ctx, r.name, RunnerState::draining);
}

Result<Runner> revoke_runner(OperationContext& ctx, RunnerRequest const& r) {
  ANDON_TRY(auto runner, set_state(ctx, r.name, RunnerState::revoked));
  revoke_runner_tokens(ctx, r.name);
  for (auto& run : ctx.tx.live_runs()) {
    if (run.runner != r.name) continue;
    // Its host may hold back the order to stop, but not go on with the task.
    revoke_run_token(ctx, run);
    if (run.state == core::RunState::stopping) continue;
    run.state = core::RunState::stopping;
    ctx.tx.put(run);
  }
  return runner;
}

Result<Runner> remove_runner(OperationContext& ctx, RunnerRequest const& r) {
  ANDON_TRY(auto runner, find_runner(ctx, r.name));
  bool const is_unused = runner.state == RunnerState::revoked || runner.incarnation == 0;
  auto const runs = ctx.tx.live_runs();
  bool const has_runs = std::ranges::find(runs, r.name, &core::Run::runner) != runs.end();
  if (!is_unused || has_runs)
    return core::refuse(Code::kConflict,
                        has_runs
                            ? "runner \"" + r.name + "\" has runs that have not ended; wait for them"
                            : "revoke runner \"" + r.name + "\" first, with: andon runners revoke " + r.name,
                        "name");
  revoke_runner_tokens(ctx, r.name);
  forget_runner(ctx, r.name);
  tell(ctx, runner, "removed");
  return runner;
}

Result<void> check_incarnation(OperationContext& ctx) {
  if (!is_runner(ctx)) return {};
  auto const runner = runner_named(ctx, ctx.caller.actor.name);
  if (!runner)
    return core::refuse(Code::kUnauthenticated,
                        "runner \"" + ctx.caller.actor.name + "\" was removed; stop it");
  if (runner->state == RunnerState::revoked) return was_revoked(runner->name);
  if (runner->incarnation == ctx.caller.incarnation && runner->incarnation > 0) return {};
  return core::refuse(Code::kStaleClaim, "runner \"" + runner->name + "\" was started again on host \"" +
                                             runner->host + "\"; this one must end its agents and stop");
}

std::vector<core::Run> runs_of_gone_runners(OperationContext& ctx) {
  std::vector<core::Run> out;
  auto const names = names_of_runners(ctx);
  for (auto const& run : ctx.tx.live_runs()) {
    if (std::ranges::find(names, run.runner) == names.end()) continue;
    auto const task = ctx.tx.task(run.task);
    bool const is_held = task && task->epoch == run.epoch && task->claim_expires &&
                         ctx.now < *task->claim_expires + kEndsAfterLease;
    if (is_held) continue;
    auto const runner = runner_named(ctx, run.runner);
    auto const guard = ctx.tx.guard(run.id);
    bool const is_here = runner && (!run.pid || (guard && guard->host == runner->place));
    if (!is_here || !is_alive(ctx, *runner)) out.push_back(run);
  }
  return out;
}

}  // namespace andon::service
