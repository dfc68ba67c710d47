#include "runner/supervision/setup_stage.hpp"

#include <csignal>

#include "runner/git/work_place.hpp"
#include "runner/profiles/sandbox_hint.hpp"
#include "runner/runs/check.hpp"
#include "runner/supervision/agent_process.hpp"
#include "runner/supervision/tree.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {
namespace {

/// A set-up may print nothing for long, so the server is told that it goes on.
constexpr core::Duration kReportEvery{30'000};

core::CheckResult not_run(CheckSpec const& command, std::string why) {
  core::CheckResult out;
  out.name = command.name;
  out.output = std::move(why);
  return out;
}

bool has_no_changes(Git const& tree) {
  auto const status = tree.run({"status", "--porcelain", Git::kNotNested});
  return status.good && status.out.empty();
}

}  // namespace

SetupStage::SetupStage(RunFiles const& files, RunSpec const& spec, os::SignalQueue& signals, ServerLink& link)
    : spec_(spec),
      signals_(signals),
      log_(files.dir, Redactor::for_environment(spec.env, {spec.token})),
      watch_({.lease = spec.limits.lease, .total = spec.limits.total, .wake_grace = spec.limits.wake_grace},
             clock_.uptime(), link.renewed()),
      cgroup_(spec.run),
      resources_(
          spec.resources, [this] { return cgroup_.processes(); }, disk_of(files, spec)),
      renewer_(link, spec.limits.heartbeat, clock_) {}

core::Result<ReadyTree> SetupStage::run() {
  Git const tree{*spec_.place, use_for(spec_)};
  auto const& noted = spec_.noted;
  is_untouched_ = contains(tree, noted.tip, noted.head) && has_no_changes(tree);
  auto out = make_ready({*spec_.setup, tree, is_untouched_},
                        [this](CheckSpec const& command, ReadyTree const& ready) {
                          return run_command(command, ready, spec_.setup->limit);
                        });
  log_.flush();
  return out;
}

core::CheckResult SetupStage::run_command(CheckSpec const& command, ReadyTree const& ready,
                                          core::Duration limit) {
  if (must_stop()) return not_run(command, "it was ended with its run");
  note("set-up: " + command.name);
  log_.flush();
  auto const directory = enter_folder(*spec_.place, spec_.workspace->folder);
  if (!directory) return not_run(command, directory.error());
  auto environment = spec_.check_env;
  environment.insert(environment.end(), ready.environment.begin(), ready.environment.end());
  auto const sandbox = confinement_for(spec_, Confined::checks);
  cgroup_.limit(spec_.resources);
  auto const place = cgroup_.place();
  auto const redactor = Redactor::for_environment(spec_.env, ready.secrets);
  auto result = run_check(command, spec_.cwd, environment, limit, redactor,
                          {.handles = {signals_.handle(), renewer_.handle(), resources_.handle()},
                           .should_stop = [this] { return must_stop(); },
                           .is_frozen = [this] { return watch_.is_frozen(); },
                           .cgroup = place.get(),
                           .confinement = os::handle_of(sandbox),
                           .directory = directory->get()});
  bool const is_group_empty = cgroup_.end(kSweepLimit);
  if (!kill_all_children(kSweepLimit) || !is_group_empty) note("some processes of the set-up would not end");
  add_sandbox_hint(result, spec_.sandbox, Confined::checks);
  note(result.output + (result.passed ? "the set-up has ended" : "the set-up failed"));
  log_.flush();
  return result;
}

void SetupStage::take_signals() {
  while (auto const signal = signals_.next()) {
    if (*signal == SIGTSTP) {
      if (watch_.freeze(clock_.uptime())) freeze_children();
    } else if (*signal == SIGCONT) {
      if (watch_.thaw(clock_.uptime())) thaw_children();
    } else if (*signal != SIGCHLD && !stopped_) {
      stopped_ = reason_of_signal(*signal);
    }
  }
}

bool SetupStage::must_stop() {
  auto const now = clock_.uptime();
  take_signals();
  for (auto const& reply : renewer_.take()) watch_.note_heartbeat(reply.answer, reply.begun);
  watch_.output(now);
  watch_.progress();
  if (now >= reported_at_ + kReportEvery) {
    reported_at_ = now;
    renewer_.report({clock_.now(), "set-up", {}, {}});
  }
  if (!stopped_ && resources_.is_exceeded()) stopped_ = StopReason::over_limit;
  if (!stopped_) stopped_ = watch_.verdict(now);
  return stopped_.has_value();
}

}  // namespace andon::runner
