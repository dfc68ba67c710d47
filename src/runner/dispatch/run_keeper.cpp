// Takes each run from its record in the store to its end. A run passes through these states:
//
//   opened     begin() asks the store for the brief and prepares a supervising process, which waits for
//              a key. While the store does not answer, later steps go on with it.
//   adopted    The store has recorded the process (adopt_run). release() sends the key and the run starts.
//   watched    Each step forwards freezes and checks, by the uptime, that the lease is renewed.
//   reported   kExitGrace after the agent's report, SIGUSR1 asks the supervisor to end the agent.
//   stopping   The store wants the run ended: SIGTERM, then SIGKILL after kStartPatience.
//   ending     The lease is no longer renewed, or the supervisor was stopped too often: SIGKILL.
//   too large  The machine has no memory left and the run is a cause: SIGUSR2 to its supervisor.
//   frozen     A person or the shortage of memory stops it: SIGTSTP to its supervisor, and SIGCONT later.
//   settled    The supervisor is gone. The host ends all processes of the run and reads its sealed record.
//              finish_run follows only when no process is left, so a requeued task never has two agents.
//
// After a restart of the server, take_over() adopts each run whose supervisor lives and settles the others.

#include "runner/dispatch/run_keeper.hpp"

#include <algorithm>
#include <csignal>

#include "os/digest.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process_table.hpp"
#include "os/processes/resource_use.hpp"
#include "os/random.hpp"
#include "runner/runs/run_spec.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kStartPatience =
    std::chrono::seconds{10};  ///< time for a supervising process to end after the request
constexpr core::Duration kLate = std::chrono::seconds{5};  ///< a renewal may be under way
constexpr int kForgivenStops = 3;  ///< a debugger may stop it a few times; an agent stops it again at once
constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kKeyBytes = 32;

void tell(os::Level level, core::Run const& run, std::string const& what) {
  os::log(level, "run " + std::to_string(run.id) + " of task #" + std::to_string(run.task) + " (board " +
                     run.board + ", worker " + run.worker + "): " + what);
}

void warn(core::Run const& run, std::string const& what) { tell(os::Level::warning, run, what); }

}  // namespace

std::size_t RunKeeper::step(core::Instant now, core::Duration uptime) {
  auto runs = client_.call<&service::list_runs>({{}, true});
  if (!runs) {
    for (auto& [id, watched] : watched_) end_overdue(watched.run, watched, uptime);
    return static_cast<std::size_t>(std::ranges::count_if(
        watched_, [](auto const& entry) { return os::is_alive(entry.second.process); }));
  }
  std::erase_if(runs->items, [this](core::Run const& run) { return run.runner != server_; });
  auto const frozen = client_.call<&service::list_frozen>();
  note_leases(uptime);
  for (auto const& run : runs->items) {
    if (auto const found = watched_.find(run.id); found != watched_.end()) {
      found->second.run = run;
      if (frozen) {
        found->second.is_frozen_by_order = service::is_frozen(*frozen, run.board, run.worker);
        hold(found->second);
      }
      end_overdue(run, found->second, uptime);
      watch(run, found->second, now);
    } else if (waiting_.contains(run.id))
      resume(run);
    else if (run.pid || host_.was_prepared(run.id))
      take_over(run);
    else
      begin(run);
  }
  auto const is_over = [&](core::RunId id) {
    return std::ranges::find(runs->items, id, &core::Run::id) == runs->items.end();
  };
  std::erase_if(watched_, [&](auto const& entry) { return is_over(entry.first) && follow_end(entry.first); });
  std::erase_if(waiting_, [&](auto const& entry) {
    if (is_over(entry.first)) host_.withdraw(entry.first);
    return is_over(entry.first);
  });
  std::erase_if(given_up_, [this](auto const& entry) { return report_late(entry.second); });
  return runs->items.size();
}

void RunKeeper::begin(core::Run const& run) {
  // A step may have found the run and begun it before the answer that opened it was read.
  if (host_.was_prepared(run.id)) return;
  if (run.state == core::RunState::stopping) return settle(run);
  auto const token = "andon_r_" + os::random_hex(kTokenBytes);
  auto brief = client_.call<&service::begin_run>({run.id, os::hex(os::sha256(token))});
  if (!brief) return withdraw(run, brief.error());
  auto const prepared = host_.launch(*brief, token);
  bool const is_trouble = !prepared && prepared.error().code == core::Code::kInternalError;
  trouble_ = is_trouble ? prepared.error().message : "";
  if (is_trouble && host_.is_one_of_many()) {
    warn(run, prepared.error().message);
    return give_back(run, prepared.error());
  }
  if (!prepared && is_unanswered(prepared.error())) return warn(run, prepared.error().message);
  if (!prepared) return refuse_worker(run, prepared.error());
  waiting_[run.id] = {prepared->process,
                      {os::random_hex(kKeyBytes),
                       prepared->cgroups,
                       prepared->input,
                       {},
                       brief->worker.agent,
                       prepared->cwd}};
  resume(run);
}

void RunKeeper::resume(core::Run const& run) {
  auto const [process, guard] = waiting_.at(run.id);
  if (run.state == core::RunState::stopping) return abandon(run.id);
  // The run begins only after the store has recorded its process, so that no file has to be trusted later.
  auto const adopted = client_.call<&service::adopt_run>({run.id, process.pid, os::to_text(process), guard});
  if (!adopted) warn(run, adopted.error().message);
  if (!adopted && is_unanswered(adopted.error())) return;
  if (!adopted) return abandon(run.id);
  waiting_.erase(run.id);
  watched_[run.id] = {.process = process, .run = run, .is_frozen = false};
  host_.release(run.id, guard.seal);
  tell(os::Level::info, run,
       "started, attempt " + std::to_string(run.attempt) + ", process " + std::to_string(process.pid));
}

void RunKeeper::abandon(core::RunId id) {
  host_.withdraw(id);
  waiting_.erase(id);
}

bool RunKeeper::follow_end(core::RunId id) {
  auto const run = client_.call<&service::get_run>({id});
  if (!run) return !is_unanswered(run.error());
  if (run->outcome == core::Outcome::lost)
    given_up_[id] = *run;
  else
    host_.let_go(id);
  std::string text = "ended";
  if (run->outcome) text.append(", ").append(core::kOutcomeNames[static_cast<std::size_t>(*run->outcome)]);
  if (!run->reason.empty()) text.append(": ").append(run->reason);
  tell(os::Level::info, *run, text);
  return true;
}

/// True when nothing is left to tell. A later call goes on where processes or the disk are slow.
bool RunKeeper::report_late(core::Run const& run) {
  auto const about = known(run);
  auto const conclusion = about ? host_.conclude(*about) : std::nullopt;
  if (!conclusion) return false;
  if (!conclusion->is_clear) {
    warn(run, "some of its processes would not end; trying again");
    return false;
  }
  auto ending = conclusion->ending;
  ending.id = run.id;
  auto const done = client_.call<&service::finish_run>(ending);
  return done || !is_unanswered(done.error());
}

void RunKeeper::take_over(core::Run const& run) {
  auto const process = os::parse_process(run.process);
  if (process && os::is_alive(*process)) {
    watched_[run.id] = {.process = *process, .run = run};
    auto const adopted = client_.call<&service::adopt_run>({run.id, process->pid, os::to_text(*process)});
    if (!adopted) return warn(run, adopted.error().message);
    return tell(os::Level::info, run, "adopted, process " + std::to_string(process->pid));
  }
  settle(run);
}

std::optional<KnownRun> RunKeeper::known(core::Run const& run) {
  auto guard = client_.call<&service::get_run_guard>({run.id});
  auto const board = client_.call<&service::get_board>({run.board});
  if (!guard) return warn(run, guard.error().message), std::nullopt;
  if (!board && is_unanswered(board.error())) return warn(run, board.error().message), std::nullopt;
  return KnownRun{run.id,
                  os::parse_process(run.process),
                  *std::move(guard),
                  board ? board->repo : std::string{},
                  run.plans,
                  board ? board->branch : std::string{},
                  board ? board->branch_prefix : std::string{},
                  board ? board->filters : std::vector<std::string>{}};
}

void RunKeeper::watch(core::Run const& run, Watched& watched, core::Instant now) {
  if (watched.is_ending || !os::is_alive(watched.process)) return settle(run);
  if (run.state == core::RunState::stopping && !watched.stop_ordered_at) {
    watched.stop_ordered_at = now;
    os::send_signal(watched.process, SIGTERM);
  }
  if (watched.stop_ordered_at && now - *watched.stop_ordered_at > kStartPatience) {
    warn(run, "its supervising process did not stop; ending it");
    os::send_signal(watched.process, SIGKILL);
    settle(run);
  }
}

/// Notes when each lease last changed, by the uptime. Leases end in the store's time, which may be set; the
/// uptime cannot be set.
void RunKeeper::note_leases(core::Duration uptime) {
  if (watched_.empty()) return;
  auto const leases = client_.call<&service::list_leases>();
  if (!leases) return;
  for (auto& [id, watched] : watched_) {
    auto const found = std::ranges::find(leases->items, id, &service::RunLease::run);
    auto const lease = found == leases->items.end() ? std::nullopt : std::optional{found->expires};
    if (lease != watched.lease || !lease) watched.renewed = uptime;
    watched.lease = lease;
  }
}

std::optional<std::string> RunKeeper::why_over(Watched& watched, core::Duration uptime) const {
  if (watched.lease && uptime - watched.renewed > RunLimits{}.lease + kLate)
    return "its supervising process renews its lease no more";
  auto const row = os::process_row(watched.process.pid);
  if (!row || row->started != watched.process.started || row->state != 'T') return std::nullopt;
  os::send_signal(watched.process, SIGCONT);
  watched.is_frozen.reset();  // SIGCONT also thaws a frozen run
  if (++watched.stops <= kForgivenStops) return std::nullopt;
  return "somebody stops its supervising process again and again";
}

/// Kills the supervising process of a run when its lease is not renewed or the process is stopped repeatedly.
/// `settle` then ends the agent.
void RunKeeper::end_overdue(core::Run const& run, Watched& watched, core::Duration uptime) {
  if (watched.is_ending) return;
  auto const reason = why_over(watched, uptime);
  if (!reason) return;
  warn(run, *reason + "; ending it");
  watched.is_ending = true;
  os::send_signal(watched.process, SIGKILL);
}

/// Sends the freeze state if it changed. An adopted process always gets it, since the state may have changed
/// before the adoption.
void RunKeeper::hold(Watched& watched) {
  bool const frozen = watched.is_frozen_by_order || watched.is_frozen_for_memory;
  if (watched.is_frozen == frozen) return;
  if (frozen || watched.is_frozen) tell(os::Level::info, watched.run, frozen ? "frozen" : "resumed");
  watched.is_frozen = frozen;
  os::send_signal(watched.process, frozen ? SIGTSTP : SIGCONT);
}

std::vector<MemoryOfRun> RunKeeper::memory_of_runs() const {
  std::vector<MemoryOfRun> out;
  for (auto const& [id, watched] : watched_)
    out.push_back({id, os::resident_memory(os::descendants_of(watched.process.pid)),
                   watched.is_frozen_for_memory, watched.is_ending || watched.stop_ordered_at});
  return out;
}

void RunKeeper::act(MemoryDecision const& decision) {
  auto const found = watched_.find(decision.run);
  if (decision.action == MemoryAction::none || found == watched_.end()) return;
  auto& watched = found->second;
  if (decision.action == MemoryAction::end) {
    warn(watched.run, "the machine has no memory left; ending it, because its processes use much of it");
    os::send_signal(watched.process, SIGUSR2);
    return;
  }
  watched.is_frozen_for_memory = decision.action == MemoryAction::freeze;
  if (watched.is_frozen_for_memory)
    warn(watched.run, "the machine has no memory left, and other programs use it; the run stands still");
  hold(watched);
}

std::vector<core::RunId> RunKeeper::frozen_for_memory() const {
  std::vector<core::RunId> out;
  for (auto const& [id, watched] : watched_)
    if (watched.is_frozen_for_memory) out.push_back(id);
  return out;
}

std::vector<core::RunId> RunKeeper::watched() const {
  std::vector<core::RunId> out;
  for (auto const& [id, watched] : watched_) out.push_back(id);
  return out;
}

void RunKeeper::end_all() {
  for (auto const& [id, watched] : watched_) os::send_signal(watched.process, SIGTERM);
}

void RunKeeper::settle(core::Run const& run) {
  auto const about = known(run);
  auto const conclusion = about ? host_.conclude(*about) : std::nullopt;
  if (!conclusion) return;
  if (!conclusion->is_clear) return warn(run, "some of its processes would not end; trying again");
  auto ending = conclusion->ending;
  ending.id = run.id;
  if (auto const done = client_.call<&service::finish_run>(ending); !done)
    return warn(run, done.error().message);
  watched_.erase(run.id);
}

/// Handles a run that cannot begin. If the board changed since the run was opened, the task goes back without
/// a counted attempt.
void RunKeeper::withdraw(core::Run const& run, core::Error const& error) {
  warn(run, error.message);
  bool const cannot_start = error.code == core::Code::kDependencyOpen ||
                            error.code == core::Code::kWipLimitExceeded ||
                            error.code == core::Code::kNothingToPick;
  if (cannot_start) give_back(run, error);
}

void RunKeeper::give_back(core::Run const& run, core::Error const& error) {
  tell(os::Level::info, run, "given back");
  service::FinishRunRequest ending;
  ending.id = run.id;
  ending.stopped_because = core::StopReason::withdrawn;
  ending.result = error.message;
  if (auto const done = client_.call<&service::finish_run>(ending); !done) warn(run, done.error().message);
}

void RunKeeper::refuse_worker(core::Run const& run, core::Error const& error) {
  warn(run, error.message);
  service::FinishRunRequest ending;
  ending.id = run.id;
  ending.stopped_because = core::StopReason::unfit;
  ending.result = error.message;
  if (auto const done = client_.call<&service::finish_run>(ending); !done) warn(run, done.error().message);
}

}  // namespace andon::runner
