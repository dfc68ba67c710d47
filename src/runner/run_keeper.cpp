#include "runner/run_keeper.hpp"

#include <algorithm>
#include <csignal>

#include "os/digest.hpp"
#include "os/log.hpp"
#include "os/random.hpp"
#include "service/freeze.hpp"
#include "service/workers.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kFarewell =
    std::chrono::seconds{10};  ///< an agent that said it is done may still tidy up
constexpr core::Duration kPatience =
    std::chrono::seconds{10};  ///< for a supervising process that was told to stop
constexpr core::Duration kSettling =
    std::chrono::seconds{2};  ///< for a supervising process to leave its trace
constexpr std::size_t kTokenBytes = 32;

void warn(core::Run const& run, std::string const& what) {
  os::log(os::Level::warning,
          "run " + std::to_string(run.id) + " of task #" + std::to_string(run.task) + ": " + what);
}

}  // namespace

std::size_t RunKeeper::step(core::Instant now) {
  auto const runs = desk_.ask<service::Runs>("list_runs", service::ListRunsRequest{{}, true});
  if (!runs) return watched_.size();
  auto const frozen = desk_.ask<service::Frozen>("list_frozen", service::NoRequest{});
  for (auto const& run : runs->items) {
    if (auto const found = watched_.find(run.id); found != watched_.end()) {
      if (frozen) hold(found->second, service::is_frozen(*frozen, run.board, run.worker));
      watch(run, found->second, now);
    } else if (run.pid || house_.was_prepared(run.id))
      take_over(run, now);
    else
      begin(run);
  }
  std::erase_if(watched_, [&](auto const& entry) {
    return std::ranges::none_of(runs->items, [&](core::Run const& run) { return run.id == entry.first; });
  });
  return runs->items.size();
}

void RunKeeper::begin(core::Run const& run) {
  if (run.state == core::RunState::stopping) return settle(run);
  auto const token = "andon_r_" + os::random_hex(kTokenBytes);
  auto brief =
      desk_.ask<service::RunBrief>("begin_run", service::BeginRunRequest{run.id, os::hex(os::sha256(token))});
  if (!brief) return withdraw(run, brief.error());
  auto const process = house_.launch(*brief, token);
  if (!process) return refuse_worker(run, process.error());
  watched_[run.id] = {*process, {}, {}, false, false};
  auto const adopted = desk_.ask<core::Run>(
      "adopt_run", service::AdoptRunRequest{run.id, process->pid, os::to_text(*process)});
  if (!adopted) warn(run, adopted.error().message);
}

void RunKeeper::take_over(core::Run const& run, core::Instant now) {
  auto process = os::parse_process(run.process);
  if (!process) process = house_.supervisor_of(run.id);
  if (process && os::is_alive(*process)) {
    unexplained_.erase(run.id);
    watched_[run.id] = {*process, {}, {}, false, {}};
    auto const adopted = desk_.ask<core::Run>(
        "adopt_run", service::AdoptRunRequest{run.id, process->pid, os::to_text(*process)});
    if (!adopted) warn(run, adopted.error().message);
    return;
  }
  auto const since = unexplained_.try_emplace(run.id, now).first->second;
  if (!process && now - since < kSettling) return;
  unexplained_.erase(run.id);
  settle(run);
}

void RunKeeper::watch(core::Run const& run, Watched& watched, core::Instant now) {
  if (!os::is_alive(watched.process)) return settle(run);
  if (run.state == core::RunState::stopping && !watched.told_to_stop) {
    watched.told_to_stop = now;
    os::send_signal(watched.process, SIGTERM);
  }
  if (watched.told_to_stop && now - *watched.told_to_stop > kPatience) {
    warn(run, "its supervising process did not stop; ending it");
    os::send_signal(watched.process, SIGKILL);
    return settle(run);
  }
  if (run.said.empty() || watched.asked_to_leave) return;
  if (!watched.said_goodbye) watched.said_goodbye = now;
  if (now - *watched.said_goodbye < kFarewell) return;
  watched.asked_to_leave = true;
  os::send_signal(watched.process, SIGUSR1);
}

/// An adopted one is always told: it may have been frozen or thawed while nobody watched it.
void RunKeeper::hold(Watched& watched, bool frozen) {
  if (watched.is_frozen == frozen) return;
  watched.is_frozen = frozen;
  os::send_signal(watched.process, frozen ? SIGTSTP : SIGCONT);
}

void RunKeeper::settle(core::Run const& run) {
  if (!house_.clear(run.id)) return warn(run, "some of its processes would not end; trying again");
  auto ending = house_.ending_of(run.id);
  if (!ending) {
    ending.emplace();
    ending->stopped_because = "lost";
  }
  ending->id = run.id;
  if (auto const done = desk_.ask<core::Run>("finish_run", *ending); !done)
    return warn(run, done.error().message);
  watched_.erase(run.id);
}

/// The board has changed since the run was opened: its task goes back, and nothing was tried.
void RunKeeper::withdraw(core::Run const& run, core::Error const& error) {
  warn(run, error.message);
  bool const cannot_start =
      error.code == core::Code::kDependencyOpen || error.code == core::Code::kWipLimitExceeded;
  if (!cannot_start) return;
  service::FinishRunRequest ending;
  ending.id = run.id;
  ending.stopped_because = "withdrawn";
  ending.result = error.message;
  if (auto const done = desk_.ask<core::Run>("finish_run", ending); !done) warn(run, done.error().message);
}

void RunKeeper::refuse_worker(core::Run const& run, core::Error const& error) {
  warn(run, error.message);
  service::FinishRunRequest ending;
  ending.id = run.id;
  ending.stopped_because = "unfit";
  ending.result = error.message;
  if (auto const done = desk_.ask<core::Run>("finish_run", ending); !done) warn(run, done.error().message);
  auto const paused =
      desk_.ask<core::Worker>("pause_worker", service::PauseWorkerRequest{run.worker, error.message});
  if (!paused) warn(run, paused.error().message);
}

}  // namespace andon::runner
