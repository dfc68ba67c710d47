#include "runner/supervision/supervise.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include "core/runs/fault_scope.hpp"
#include "os/data/awaited_lock.hpp"
#include "os/files/file.hpp"
#include "os/processes/adopted_children.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "os/processes/resource_use.hpp"
#include "os/system_error.hpp"
#include "runner/clones/clone.hpp"
#include "runner/git/git.hpp"
#include "runner/git/outlying_parts.hpp"
#include "runner/git/work_place.hpp"
#include "runner/supervision/base_trial.hpp"
#include "runner/supervision/setup_stage.hpp"
#include "runner/supervision/supervisor.hpp"
#include "runner/supervision/tree.hpp"
#include "runner/worktrees/changed_files.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/run_start.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "runner/worktrees/workspace.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestKey = 64;
constexpr std::size_t kLongestEarlierWork = 4U << 20U;
constexpr core::Duration kFirstRetry{500};
constexpr core::Duration kLongestOpening{60'000};  ///< of a work tree, by a person
constexpr char kUnfinished[] = " (left by an earlier attempt)";
constexpr core::Duration kLongestRetry{5'000};

/// Reduces the memory of this process, because every run has one such process.
void be_small() {
  // NOLINTBEGIN(concurrency-mt-unsafe): there is one thread yet
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
  ::mallopt(M_TRIM_THRESHOLD, 128 << 10);
  // NOLINTEND(concurrency-mt-unsafe)
}

/// The record of a run whose agent never started, or that could not be supervised to its end.
EndRecord failure(RunSpec const& spec, ErrorClass error_class, std::string error, os::Clock const& clock) {
  EndRecord record;
  record.run = spec.run;
  record.task = spec.task;
  record.epoch = spec.epoch;
  record.started = record.ended = clock.now();
  record.error_class = error_class;
  record.error = std::move(error);
  record.session_usage = spec.used_before;
  return record;
}

/// Keeps the work of earlier attempts as a file for an agent that goes on with it, such as one of another
/// program. A difference that is too long is left out; the work tree has it in any case.
void write_earlier_work(RunFiles const& files, RunSpec const& spec, GitUse const& use) {
  auto const& noted = spec.noted;
  if (noted.tip.empty() || noted.head.empty() || noted.tip == noted.head) return;
  Git const git{*spec.place, use};
  auto const difference = git.run(diff_arguments({}, fork_point(git, noted.tip, noted.head), noted.head));
  if (!difference.good) os::log(os::Level::warning, "no file of the earlier work: " + difference.complaint);
  if (difference.good && !difference.out.empty() && difference.out.size() <= kLongestEarlierWork)
    os::write_passing_file(files.earlier_work(), difference.out, 0600);
}

/// Brings Andon's clone of the board's repository up to date.
core::Result<void> fetch_clone(RunFiles const& files, RunSpec const& spec, ServerLink& link) {
  if (!spec.workspace) return {};
  os::SystemClock const clock;
  LeaseRenewer const renewer(link, spec.limits.heartbeat, clock);
  auto const& workspace = *spec.workspace;
  Clone const clone{workspace.origin,
                    os::data_directory(workspace.data),
                    {.marks = {{"ANDON_RUN_DIR", files.dir.native()}}},
                    {},
                    workspace.board_branch};
  ANDON_CHECK(clone.refresh());
  clone.take_up(branch_of_task(workspace.directory, workspace.branch, workspace.branch_prefix));
  return {};
}

/// Notes what is in a directory that the run shares with others.
void note_shared_directory(RunSpec& spec) {
  spec.place = place_around(spec.cwd);
  if (!spec.place) return;
  auto const use = use_for(spec);
  spec.head_before = head_commit(*spec.place, use);
  spec.left_before = uncommitted(*spec.place, spec.cwd, use);
}

/// Prepares the work tree, notes its start and records the tree at the server. Renews the lease meanwhile,
/// since this may take long.
core::Result<void> prepare(RunFiles const& files, RunSpec& spec, ServerLink& link) try {
  if (!spec.workspace) {
    note_shared_directory(spec);
    return {};
  }
  os::SystemClock const clock;
  LeaseRenewer const renewer(link, spec.limits.heartbeat, clock);
  auto const use = use_for(spec);
  std::filesystem::path const directory{spec.workspace->directory};
  os::make_private_directory(directory.parent_path());
  auto const turn = os::AwaitedLock{lock_of_tree(directory)}.take(kLongestOpening);
  if (!turn) return core::refuse(core::Code::kBusy, "somebody has opened the work tree for too long");
  ANDON_SET(spec.place, prepare_workspace(*spec.workspace, use));
  commit_unfinished(*spec.workspace, *spec.place,
                    settling_of(spec, spec.workspace->title + kUnfinished, false), use);
  ANDON_SET(spec.noted, note_run(*spec.workspace, *spec.place, use));
  keep_start(spec.records, spec.run, spec.noted);
  write_earlier_work(files, spec, use);
  if (auto const folder = enter_folder(*spec.place, spec.workspace->folder); !folder)
    return core::refuse(core::Code::kConflict, folder.error());
  if (link.keep_place(*spec.place)) return {};
  return core::refuse(core::Code::kBusy, "the server did not keep which work tree was made");
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kConflict, error.what());
}

/// The fault of a step that no work of an agent took part in.
std::optional<core::Fault> fault_at(RunSpec const& spec, core::FaultPlace place, std::string const& words) {
  return core::fault_of(
      {.place = place, .is_of_work = false, .is_disk_full = is_disk_full(spec.records), .words = words});
}

/// Makes the work tree ready. A planning run only reads it. The record of the end when the agent cannot
/// start.
std::optional<EndRecord> set_up(RunFiles const& files, RunSpec& spec, os::SignalQueue& signals,
                                ServerLink& link) {
  if (!spec.setup || !spec.workspace || spec.plans) return std::nullopt;
  os::SystemClock const clock;
  try {
    SetupStage stage{files, spec, signals, link};
    auto ready = stage.run();
    if (auto const reason = stage.stopped()) {
      auto record = failure(spec, ErrorClass::internal, "ended during the set-up of its work tree", clock);
      record.stopped = reason;
      add_use(record, stage.use(), spec.resources);
      return record;
    }
    if (!ready) {
      auto record = failure(spec, ErrorClass::workspace, ready.error().message, clock);
      record.fault = stage.is_untouched() ? fault_at(spec, core::FaultPlace::set_up, record.error)
                                          : BaseTrial{files, spec, signals, link}.of_set_up();
      return record;
    }
    spec.secrets = std::move(ready->secrets);
    for (auto const& variable : ready->environment) {
      spec.env.push_back(variable);
      spec.check_env.push_back(variable);
    }
    return std::nullopt;
  } catch (std::exception const& error) {
    kill_all_children(kSweepLimit);
    return failure(spec, ErrorClass::workspace, error.what(), clock);
  }
}

EndRecord run_agent(RunFiles const& files, RunSpec const& spec, RuleSet rules, os::SignalQueue& signals,
                    ServerLink& link) {
  os::SystemClock const clock;
  std::optional<Supervisor> supervisor;
  try {
    supervisor.emplace(files, spec, std::move(rules), signals, link);
  } catch (os::SystemError const& error) {
    kill_all_children(kSweepLimit);
    return failure(spec, ErrorClass::spawn_failed, error.what(), clock);
  }
  try {
    return supervisor->run();
  } catch (std::exception const& error) {
    kill_all_children(kSweepLimit);
    return failure(spec, ErrorClass::internal, error.what(), clock);
  }
}

bool is_end(int signal) {
  return signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGUSR2;
}

/// Waits for a moment. False when a signal asks this process to end.
bool may_wait(os::SignalQueue& signals, core::Duration moment) {
  pollfd waiting{signals.handle(), POLLIN, 0};
  ::poll(&waiting, 1, static_cast<int>(moment.count()));
  while (auto const signal = signals.next())
    if (is_end(*signal)) return false;
  return true;
}

/// The reason to end the run before its agent starts; nothing when it may start. Repeats a freeze that
/// arrived before, so that it applies to the agent.
std::optional<StopReason> reason_before_start(os::SignalQueue& signals) {
  bool frozen = false;
  while (auto const signal = signals.next()) {
    if (is_end(*signal)) return reason_of_signal(*signal);
    if (*signal == SIGTSTP || *signal == SIGCONT) frozen = *signal == SIGTSTP;
  }
  if (frozen) ::kill(::getpid(), SIGTSTP);
  return std::nullopt;
}

/// Opens to the agent's git what it reads outside: the objects of the clone, or the recorded parts of a
/// repository that it shares with a person.
void open_outlying_parts(RunSpec& spec) {
  auto const lender = use_for(spec).lender;
  if (lender.empty()) keep_outlying(spec.records, *spec.place);
  if (!spec.sandbox) return;
  auto parts = lender.empty() ? kept_outlying(spec.records, *spec.place).value_or(std::vector<std::string>{})
                              : std::vector<std::string>{lender};
  if (!lender.empty()) parts.push_back(lender.parent_path() / "lfs/objects");
  if (spec.workspace)
    for (auto const& program : held_filters(spec.workspace->filters).programs) parts.push_back(program);
  for (auto& part : parts) spec.sandbox->reads.push_back(std::move(part));
}

/// Executes the whole run: work tree, agent, checks.
EndRecord execute(RunFiles const& files, RunSpec& spec, RuleSet rules, os::SignalQueue& signals,
                  ServerLink& link) {
  os::SystemClock const clock;
  if (auto const fetched = fetch_clone(files, spec, link); !fetched) {
    auto record = failure(spec, ErrorClass::workspace, fetched.error().message, clock);
    record.fault = fault_at(spec, core::FaultPlace::repository, record.error);
    return record;
  }
  auto const prepared = prepare(files, spec, link);
  if (!prepared) {
    auto record = failure(spec, ErrorClass::workspace, prepared.error().message, clock);
    record.fault = core::fault_of({.is_disk_full = is_disk_full(spec.records), .words = record.error});
    return record;
  }
  if (auto const reason = reason_before_start(signals)) {
    auto record = failure(spec, ErrorClass::internal, "ended before its agent began", clock);
    record.stopped = reason;
    add_use(record, {}, spec.resources);
    return record;
  }
  if (spec.place) open_outlying_parts(spec);
  if (auto ended = set_up(files, spec, signals, link)) return *std::move(ended);
  auto record = run_agent(files, spec, std::move(rules), signals, link);
  record.fault = fault_of_end(record, files, spec, signals, link);
  return record;
}

void report_end(ServerLink& link, EndRecord const& record, core::Duration lease, os::SignalQueue& signals) {
  os::SystemClock const clock;
  auto const deadline = clock.uptime() + lease;
  for (auto wait = kFirstRetry; link.finish(record) == FinishAnswer::unreachable;) {
    if (clock.uptime() + wait >= deadline || !may_wait(signals, wait))
      return os::log(os::Level::warning, "the server was not told of the end; it reads end.json");
    wait = std::min(wait * 2, kLongestRetry);
  }
}

}  // namespace

std::string take_key() {
  std::string key(kLongestKey, '\0');
  std::size_t used = 0;
  while (used < key.size()) {
    auto const n = ::read(STDIN_FILENO, key.data() + used, key.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    used += static_cast<std::size_t>(n);
  }
  os::Descriptor const nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  if (nothing) ::dup2(nothing.get(), STDIN_FILENO);
  key.resize(used);
  return key;
}

int supervise(std::filesystem::path const& run_dir, std::string const& key, ServerLink& link) {
  RunFiles const files{run_dir};
  try {
    be_small();
    os::hide_memory();
    os::ignore_write_signals();
    os::SignalQueue signals{SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGCONT};
    ::setsid();  // fails when the launcher made a session already
    os::adopt_orphans();
    os::end_first_without_memory(::getpid());  // what it starts inherits that
    auto spec = read_spec(files);
    if (!spec) throw std::runtime_error(files.spec().native() + ": " + spec.error().message);
    auto rules = RuleSet::compile(spec->output);
    if (!rules) throw std::runtime_error(files.spec().native() + ": " + rules.error().message);
    auto const record = execute(files, *spec, *std::move(rules), signals, link);
    write_end(files, record, key);
    forget_start(spec->records, spec->run);  // only a run without a sealed end needs it
    report_end(link, record, spec->limits.lease, signals);
    return 0;
  } catch (std::exception const& error) {
    os::log(os::Level::error, error.what());
    kill_all_children(kSweepLimit);
    return 1;
  }
}

}  // namespace andon::runner
