// One loop supervises one agent. Each step waits in poll(2) for signals, the end of the agent, replies to
// heartbeats, and output, or until the next deadline of Watch and Stopper. Then judge() decides:
//
//   1. After a sleep of the machine, give the server time to renew the lease, and send a heartbeat at once.
//   2. If a fatal rule matched, or Watch found a limit exceeded, stop the agent. An agent that has already
//      reported its work does not count as silent or late.
//   3. Send the signal of Stopper that is due. A kill, a lost claim, a cancellation and a lost lease skip the
//      polite signals.
//   4. Report progress to the server.
//
// After the agent ended: read the rest of its output, kill all other processes of the run, and read the usage
// file. If the agent may have finished, commit its uncommitted changes. Then collect the evidence and run the
// checks. LeaseRenewer sends heartbeats from its own thread during all of this. SIGTSTP freezes the processes
// below this one and the clocks of Watch, but not the lease; SIGCONT thaws them.

#include "runner/supervision/supervisor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <utility>

#include "core/text/terminal_text.hpp"
#include "os/files/file.hpp"
#include "os/files/time_zones.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "runner/clones/published_work.hpp"
#include "runner/git/outlying_parts.hpp"
#include "runner/git/work_place.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/profiles/sandbox_hint.hpp"
#include "runner/runs/check.hpp"
#include "runner/supervision/tree.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/put_back.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/submodules.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kProgressEvery{2'000};
constexpr core::Duration kBusyEvery{
    60'000};  ///< during a tool call or a check, which may print nothing for long
constexpr core::Duration kNoticeableSleep{1'000};
constexpr core::Duration kAnswerLimit{10'000};  ///< for an answer of the server
constexpr std::size_t kLargestUsageFile = 1U << 20U;
constexpr std::size_t kLongestReportedLine = 200;

core::Duration seconds(std::int64_t count) { return core::Duration{count * 1000}; }

void keep(EndRecord& record, RunWork const& work) {
  record.branch = work.branch;
  record.base = work.base;
  record.head = work.head;
  record.commits = work.commits;
  record.files_changed = work.files_changed;
  record.diff_size = work.diff_size;
  record.left_out = work.left_out;
  record.left_out_count = work.left_out_count;
  record.remarks = work.remarks;
}

std::string text_of(core::CheckResult const& result) {
  if (!result.passed) return "\" failed:\n" + result.output;
  if (!result.flaky) return "\" passed";
  return "\" failed, and passed when it was run again:\n" + result.output;
}

core::Duration shorter(core::Duration a, core::Duration b) {
  if (a == core::Duration{}) return b;
  return b == core::Duration{} ? a : std::min(a, b);
}

WatchLimits limits_of(RunSpec const& spec) {
  return {.lease = spec.limits.lease,
          .total = shorter(spec.limits.total, seconds(spec.timeouts.total_s)),
          .first_event = seconds(spec.timeouts.first_event_s),
          .silence = shorter(seconds(spec.timeouts.silence_s), spec.limits.silence),
          .exit = seconds(spec.timeouts.exit_s),
          .wake_grace = spec.limits.wake_grace};
}

std::vector<StopStep> polite_steps(RunSpec const& spec) {
  return stop_steps(spec.stop).value_or(std::vector<StopStep>{{SIGTERM, spec.limits.kill_grace}});
}

/// True for a stop that skips the polite signals, because another worker may take the task, a person killed
/// the run, or the machine is in need.
bool is_urgent(StopReason reason) {
  return reason == StopReason::killed || reason == StopReason::stale || reason == StopReason::cancelled ||
         reason == StopReason::lease_lost || reason == StopReason::over_limit ||
         reason == StopReason::short_of_memory;
}

std::vector<std::string> secrets_of(RunSpec const& spec) {
  auto out = spec.secrets;
  out.push_back(spec.token);
  return out;
}

std::string_view word(StopReason reason) { return kStopReasonNames[static_cast<std::size_t>(reason)]; }

core::CheckResult check_without_place(CheckSpec const& check, std::string why) {
  core::CheckResult out;
  out.name = check.name;
  out.output = std::move(why);
  return out;
}

}  // namespace

Supervisor::Supervisor(RunFiles const& files, RunSpec const& spec, RuleSet rules, os::SignalQueue& signals,
                       ServerLink& link)
    : spec_(spec),
      signals_(signals),
      started_(clock_.now()),
      redactor_(Redactor::for_environment(spec.env, secrets_of(spec))),
      log_(files.dir, redactor_),
      transcript_(spec.output, std::move(rules), spec.usage, spec.fatal, spec.used_before),
      watch_(limits_of(spec), clock_.uptime(), link.renewed()),
      stopper_(polite_steps(spec), spec.limits.kill_grace),
      cgroup_(spec.run),
      agent_(files, spec, cgroup_),
      resources_(
          spec.resources, [this] { return cgroup_.processes(); }, disk_of(files, spec)),
      renewer_(link, spec.limits.heartbeat, clock_),
      asleep_(os::time_asleep()) {}

EndRecord Supervisor::run() {
  note_missing_submodules();
  while (!agent_.has_ended()) step();
  drain();
  auto const exit = agent_.reap();
  end_tree();
  drain();
  transcript_.finish(on_line());
  read_usage_file();
  log_.flush();
  return record(exit);
}

/// An agent that meets an empty folder, and a person who reads the log, learn why.
void Supervisor::note_missing_submodules() try {
  if (!spec_.workspace) return;
  auto const missing = about_missing_submodules(missing_submodules(Git{*spec_.place, use_for(spec_)}));
  if (!missing.empty()) note(missing);
} catch (GitFailure const& failure) {
  note(failure.what());
}

void Supervisor::step() {
  auto const now = clock_.uptime();
  auto next = std::min(watch_.next(), stopper_.next().value_or(core::Duration::max()));
  if (stopped_) next = stopper_.next().value_or(now + kSweepLimit);
  if (transcript_.progress() != reported_.progress) next = std::min(next, reported_.at + kProgressEvery);
  if (transcript_.is_in_tool()) next = std::min(next, reported_.at + kBusyEvery);
  log_.flush();
  wait(next);
  judge(clock_.uptime());
}

void Supervisor::wait(core::Duration until) {
  auto const left = std::clamp<std::int64_t>((until - clock_.uptime()).count(), 0, 60'000);
  // Once a limit is exceeded, its handle stays readable; the judge has seen it.
  int const exceeded = stopped_ ? -1 : resources_.handle();
  std::array<pollfd, 6> waiting{pollfd{signals_.handle(), POLLIN, 0},  pollfd{agent_.handle(), POLLIN, 0},
                                pollfd{renewer_.handle(), POLLIN, 0},  pollfd{agent_.out().get(), POLLIN, 0},
                                pollfd{agent_.err().get(), POLLIN, 0}, pollfd{exceeded, POLLIN, 0}};
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) os::fail("wait");
  if (waiting[0].revents != 0) take_signals();
  if (waiting[2].revents != 0) take_beats();
  if (waiting[3].revents != 0) pump(agent_.out(), OutputStream::out);
  if (waiting[4].revents != 0) pump(agent_.err(), OutputStream::err);
}

void Supervisor::take_signals() {
  while (auto const signal = signals_.next()) {
    if (*signal == SIGCHLD)
      reap_ended_children(agent_.pid());
    else if (*signal == SIGTSTP)
      freeze();
    else if (*signal == SIGCONT)
      thaw();
    else
      stop_because(reason_of_signal(*signal), clock_.uptime());
  }
}

void Supervisor::freeze() {
  if (stopped_ || !watch_.freeze(clock_.uptime())) return;
  freeze_children();
  note("frozen");
}

void Supervisor::thaw() {
  if (!watch_.thaw(clock_.uptime())) return;
  thaw_children();
  note("goes on");
}

void Supervisor::take_beats() {
  for (auto const& reply : renewer_.take()) watch_.note_heartbeat(reply.answer, reply.begun);
}

void Supervisor::pump(os::Descriptor& pipe, OutputStream from) {
  std::array<char, 64U << 10U> bytes;
  auto const n = ::read(pipe.get(), bytes.data(), bytes.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return pipe.reset();
  auto const lines = transcript_.lines();
  auto const quiet = transcript_.quiet_lines();
  transcript_.feed(from, {bytes.data(), static_cast<std::size_t>(n)}, on_line());
  // Noise and reports of retried model calls are no sign of life.
  bool const is_quiet =
      transcript_.lines() > lines && transcript_.lines() - lines == transcript_.quiet_lines() - quiet;
  if (!is_quiet) watch_.output(clock_.uptime());
  if (transcript_.progress() > 0) watch_.progress();
  watch_.set_in_tool(transcript_.is_in_tool());
}

/// Reads the remaining output for a short time. The wait status ends a run, not its pipes: a process that it
/// left behind may hold them open for ever.
void Supervisor::drain() {
  auto const deadline = clock_.uptime() + spec_.limits.drain;
  while (agent_.out() || agent_.err()) {
    auto const left = deadline - clock_.uptime();
    if (left <= core::Duration{}) break;
    std::array<pollfd, 2> waiting{pollfd{agent_.out().get(), POLLIN, 0},
                                  pollfd{agent_.err().get(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count()));
    if (waiting[0].revents != 0) pump(agent_.out(), OutputStream::out);
    if (waiting[1].revents != 0) pump(agent_.err(), OutputStream::err);
  }
}

/// Ends the cgroup and all descendants. Both are needed: with write access to the cgroup tree, a process may
/// have left its group.
void Supervisor::end_tree() {
  bool const is_group_empty = cgroup_.end(kSweepLimit);
  if (!kill_all_children(kSweepLimit) || !is_group_empty) note("some processes of the run would not end");
}

void Supervisor::judge(core::Duration now) {
  if (auto const asleep = os::time_asleep(); asleep > asleep_ + kNoticeableSleep) {
    asleep_ = asleep;
    watch_.woke(now);
    renewer_.renew_now();
  }
  if (resources_.is_exceeded() && !stopped_) stop_because(StopReason::over_limit, now);
  if (transcript_.fatal()) stop_because(StopReason::fatal, now);
  if (auto const reason = watch_.verdict(now)) stop_because(seen_by_server(*reason), now);
  if (auto const signal = stopper_.step(now)) agent_.signal_group(*signal);
  tell_progress(now, transcript_.is_in_tool());
}

/// The reason after a check with the server. An agent that reported since the last heartbeat did not hang;
/// its work is done.
StopReason Supervisor::seen_by_server(StopReason reason) {
  bool const is_time_limit = reason == StopReason::silence || reason == StopReason::no_first_event ||
                             reason == StopReason::total_time;
  return is_time_limit && !stopped_ && has_reported() ? StopReason::reported : reason;
}

void Supervisor::stop_because(StopReason reason, core::Duration now) {
  thaw();
  if (!stopped_) {
    stopped_ = reason;
    note(reason == StopReason::reported
             ? "ending what still runs " + std::to_string(spec_.timeouts.exit_s) + " s after the report"
             : "ending the run: " + std::string{word(reason)});
  } else if (reason == StopReason::killed && !stopper_.is_killing()) {
    stopped_ = reason;
  }
  if (is_urgent(reason))
    stopper_.kill(now);
  else
    stopper_.stop(now);
}

/// Sends a progress report when it is due. `is_busy`: the current work prints nothing, so the report is sent
/// without news.
void Supervisor::tell_progress(core::Duration now, bool is_busy) {
  bool const is_news = transcript_.progress() != reported_.progress;
  if (!is_news && !is_busy) return;
  if (now < reported_.at + (is_news ? kProgressEvery : kBusyEvery)) return;
  reported_.progress = transcript_.progress();
  reported_.at = now;
  auto const summary = transcript_.summary();
  renewer_.report({clock_.now(), last_line_, summary.session, summary.usage});
}

void Supervisor::note(std::string const& text) { log_.write(clock_.now(), stream::kAndon, text); }

OnLine Supervisor::on_line() {
  return [this](std::string_view from, std::string_view text) {
    log_.write(clock_.now(), from, text);
    if (from != stream::kRaw && !text.empty())
      last_line_ = redactor_(head(core::without_escapes(text), kLongestReportedLine));
  };
}

void Supervisor::read_usage_file() {
  if (!spec_.usage.after_exit) return;
  auto const& rule = *spec_.usage.after_exit;
  std::error_code gone;
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(rule.file, gone)))
    return note("no usage was reported: " + rule.file + " is a link");
  try {
    auto const content = os::read_file_if_there(rule.file, kLargestUsageFile);
    auto const json =
        content ? reflect::parse_json(*content) : core::refuse(core::Code::kNotFound, "no usage file");
    auto const events = json ? read_usage_file_events(rule, *json) : core::refuse(json.error());
    if (!events) return note("no usage was reported: " + events.error().message);
    for (auto const& event : *events) transcript_.add_usage(event);
  } catch (os::SystemError const& error) {
    note(error.what());
  }
}

EndRecord Supervisor::record(core::Exit exit) {
  auto record = make_end_record(spec_, transcript_.summary(), exit, stopped_, transcript_.fatal(),
                                {clock_.now(), &os::time_zones(), os::machine_time_zone()});
  record.started = started_;
  for (auto* text : {&record.error, &record.status, &record.result, &record.unfinished, &record.output_tail})
    *text = redactor_(core::without_escapes(*text));
  if (record.error_class && record.remedy.empty() && spec_.sandbox)
    record.remedy = sandbox_hint(record.error + "\n" + record.output_tail, *spec_.sandbox, Confined::agent);
  auto const directory = place_of_work(record);
  bool const has_work = directory && may_be_finished(record);
  if (directory && spec_.workspace && spec_.plans) put_back(record);
  if (directory) add_evidence(record, has_work && !spec_.plans);
  if (has_work && !spec_.plans && record.error_class != ErrorClass::workspace) run_checks(record);
  auto use = resources_.use();
  use.ran_out_of_memory = cgroup_.ran_out_of_memory();
  add_use(record, use, spec_.resources);
  record.ended = clock_.now();
  return record;
}

/// Puts back the changes of a planning run, however it ended.
void Supervisor::put_back(EndRecord& record) {
  auto trouble = put_tree_back(*spec_.place, spec_.noted, use_for(spec_), kept_out(spec_));
  if (!trouble.empty()) set_aside(record, std::move(trouble));
}

/// Leaves the work to a person, who blocks on the reason.
void Supervisor::set_aside(EndRecord& record, std::string reason) {
  record.error_class = ErrorClass::workspace;
  record.error = std::move(reason);
  note(record.error);
}

/// The opened work tree, or an empty descriptor if the run has none. Nothing when the agent replaced the
/// directory, or leads git elsewhere; then the work is not committed, compared or checked.
std::optional<os::Descriptor> Supervisor::place_of_work(EndRecord& record) {
  if (!spec_.workspace) return os::Descriptor{};
  auto directory = enter(*spec_.place);
  auto const trouble = directory ? why_unreadable(*spec_.place, use_for(spec_), outlying_parts(*spec_.place))
                                 : directory.error();
  if (!trouble) return *std::move(directory);
  set_aside(record, "the work is not looked at: " + *trouble);
  return std::nullopt;
}

/// Whether the agent may have finished its work: it ended well by itself, or it reported before any kind of
/// end.
bool Supervisor::may_be_finished(EndRecord const& record) {
  if (record.stopped) return record.stopped == StopReason::reported || record.stopped == StopReason::stopped;
  if (!record.error_class) return true;
  bool const may_have_reported = record.error_class == ErrorClass::fail ||
                                 record.error_class == ErrorClass::signal ||
                                 record.error_class == ErrorClass::no_result;
  return may_have_reported && has_reported();
}

bool Supervisor::has_reported() {
  if (watch_.has_reported()) return true;
  renewer_.renew_now();
  pollfd answered{renewer_.handle(), POLLIN, 0};
  if (::poll(&answered, 1, static_cast<int>(kAnswerLimit.count())) <= 0) return false;
  take_beats();
  return watch_.has_reported();
}

void Supervisor::add_evidence(EndRecord& record, bool is_finished) {
  if (!spec_.place) return;
  if (spec_.workspace) {
    auto const use = use_for(spec_);
    refresh_before_record(*spec_.workspace, use);
    auto work = record_work(*spec_.workspace, *spec_.place, spec_.run, spec_.noted, use,
                            settling_of(spec_, spec_.workspace->title, is_finished));
    keep(record, work);
    if (auto lost = publish_work(*spec_.workspace, work, use); !lost.empty()) {
      note(lost);
      work.trouble += (work.trouble.empty() ? "" : ". ") + lost;
    }
    if (!work.trouble.empty()) set_aside(record, std::move(work.trouble));
    return;
  }
  add_shared_evidence(record);
}

/// The traces of a run in a directory that it shares with others.
void Supervisor::add_shared_evidence(EndRecord& record) try {
  auto const use = use_for(spec_);
  auto evidence = collect_evidence(*spec_.place, spec_.cwd, spec_.head_before, spec_.left_before, use);
  keep(record, {.branch = std::move(evidence.branch),
                .base = spec_.head_before,
                .head = std::move(evidence.head),
                .commits = std::move(evidence.commits),
                .files_changed = evidence.files_changed,
                .diff_size = evidence.diff_size,
                .left_out = {},
                .remarks = {},
                .trouble = {}});
} catch (GitFailure const& failure) {
  set_aside(record, failure.what());
}

/// Runs all checks even if one fails, so that the next attempt gets every failure at once.
void Supervisor::run_checks(EndRecord& record) {
  auto const directory = spec_.workspace ? enter_folder(*spec_.place, spec_.workspace->folder)
                                         : std::expected<os::Descriptor, std::string>{};
  if (!directory) {
    for (auto const& check : spec_.checks)
      record.checks.push_back(check_without_place(check, directory.error()));
    return;
  }
  auto const stopped_before = std::exchange(stopped_, std::nullopt);
  watch_.agent_ended();
  auto const sandbox = confinement_for(spec_, Confined::checks);
  for (auto const& check : spec_.checks) {
    auto result = run_twice_at_most([&] {
      auto const place = cgroup_.place();
      auto once = run_check(check, spec_.cwd, spec_.check_env, spec_.check_limit, redactor_,
                            {{signals_.handle(), renewer_.handle(), resources_.handle()},
                             [this] { return must_stop_checks(); },
                             [this] { return watch_.is_frozen(); },
                             place.get(),
                             os::handle_of(sandbox),
                             directory->get()});
      end_tree();
      if (stopped_) once.exit.reset();
      return once;
    });
    add_sandbox_hint(result, spec_.sandbox, Confined::checks);
    note("check \"" + check.name + text_of(result));
    record.checks.push_back(std::move(result));
    if (stopped_) break;
  }
  if (stopped_) {
    record.stopped = stopped_;
    record.checks.clear();
  } else {
    stopped_ = stopped_before;
  }
}

/// Whether the checks must end. A kill, a cancellation, an unreachable server and the total time still end
/// the run. The limit of silence does not apply, because no agent runs.
bool Supervisor::must_stop_checks() {
  auto const now = clock_.uptime();
  while (auto const signal = signals_.next()) {
    if (*signal == SIGTSTP)
      freeze();
    else if (*signal == SIGCONT)
      thaw();
    else if (*signal != SIGCHLD && *signal != SIGUSR1)
      stopped_ = reason_of_signal(*signal);
  }
  if (!stopped_ && resources_.is_exceeded()) stopped_ = StopReason::over_limit;
  take_beats();
  watch_.output(now);
  watch_.progress();
  tell_progress(now, true);
  if (!stopped_) stopped_ = watch_.verdict(now);
  return stopped_.has_value();
}

}  // namespace andon::runner
