// Ends all processes of a run from outside and proves that none is left. The supervising process may be dead.
// The agent may fork as fast as it can, leave its session, and write false facts into its files.
//
//   1. Kill the run's cgroup if there is one. No process can leave it by forking.
//   2. Scan the process table, youngest first. A process belongs to the run if it is the supervising process
//      or an adopted orphan, has the run's marker in its environment, or reads the agent's input file. Stop
//      each at once with SIGSTOP. Then add all descendants.
//   3. Kill each process group that belongs to the run entirely, then each process by its identity.
//   4. Repeat from 2 until empty scans are proof: two during which no process was born, or six in a row. For
//      kLongestExec, a scan that meets a process inside execve(2) does not count.
//   5. Remove the cgroup.
//
// At the deadline the sweep returns without the proof.

#include "runner/supervision/sweep.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <poll.h>
#include <set>

#include "os/processes/adopted_children.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/process_table.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/run_cgroup.hpp"

namespace andon::runner {
namespace {

using Members = std::map<pid_t, os::ProcessRow>;

/// The longest time in execve(2). A process without arguments and environment for longer is not inside it.
constexpr core::Duration kLongestExec{2'000};

bool is_that(os::ProcessRow const& row, std::optional<os::ProcessId> const& process) {
  return process && os::is_alive(*process) && row.pid == process->pid && row.started == process->started;
}

/// Signals the process only if its number was not reused.
void signal_exactly(os::ProcessRow const& row, int signal) {
  auto const id = os::identify(row.pid);
  if (id && id->started == row.started) os::send_signal(*id, signal);
}

/// Finds the processes of a run: those with a known identity, marker or input, and all their descendants.
class ProcessScan {
 public:
  explicit ProcessScan(SweepTarget const& target)
      : target_(target), marker_(RunFiles{target.run_dir}.marker()), since_(start_of(target)) {}

  /// Finds the processes of the run and stops each at once. A process that only starts the next one and ends
  /// would otherwise vanish during the scan.
  Members stopped_members() {
    std::vector<os::ProcessRow> table;
    Members found;
    is_in_doubt_ = false;
    look_at_adopted();
    os::visit_processes([&](os::ProcessRow const& row) {
      table.push_back(row);
      if (!is_ours(row)) {
        is_in_doubt_ = is_in_doubt_ || (may_be_ours(row) && os::is_between_programs(row));
        return;
      }
      signal_exactly(row, SIGSTOP);
      found.emplace(row.pid, row);
    });
    for (bool grew = true; grew;) {
      grew = false;
      for (auto const& row : table)
        if (found.contains(row.parent) && may_be_ours(row)) grew = found.emplace(row.pid, row).second || grew;
    }
    return found;
  }
  /// Whether the last scan found a process that could not be classified.
  bool is_in_doubt() const { return is_in_doubt_; }

 private:
  static bool may_be_ours(os::ProcessRow const& row) {
    return row.pid > 1 && row.pid != ::getpid() && row.state != 'Z' && row.state != 'X';
  }
  bool is_ours(os::ProcessRow const& row) const {
    return may_be_ours(row) && (is_that(row, target_.supervisor) || adopted_.contains(row.pid) ||
                                os::was_started_with(row.pid, marker_) || reads_the_input(row));
  }
  /// Whether a process reads the run's input. An older process may read an earlier file with a reused inode,
  /// so it does not count.
  bool reads_the_input(os::ProcessRow const& row) const {
    return !target_.input.empty() && row.started >= since_ && os::input_of(row.pid) == target_.input;
  }
  void look_at_adopted() {
    adopted_.clear();
    if (!target_.with_adopted) return;
    for (auto const& row : os::adopted_children()) adopted_.insert(row.pid);
  }
  static std::uint64_t start_of(SweepTarget const& target) {
    return target.supervisor ? target.supervisor->started : 0;
  }

  SweepTarget const& target_;
  std::string marker_;
  std::uint64_t since_;
  std::set<pid_t> adopted_;
  bool is_in_doubt_ = false;
};

/// Kills process groups as a whole, so that members cannot escape by forking. Takes only groups whose members
/// all belong to the run.
void kill_whole_groups(Members const& members) {
  std::set<pid_t> groups;
  for (auto const& [pid, row] : members) groups.insert(row.group);
  for (auto const& row : os::process_table())
    if (!members.contains(row.pid) && !members.contains(row.parent) && row.state != 'Z')
      groups.erase(row.group);
  for (auto const group : groups)
    if (group > 1 && group != ::getpgrp()) ::kill(-group, SIGKILL);
}

/// Counts empty scans in a row. An empty scan during which no process was born is complete; two of them are
/// proof. On a machine where processes are born all the time, six empty scans must suffice.
class EmptyScanStreak {
 public:
  void count(bool is_empty, bool nobody_was_born) {
    empty_scans_ = is_empty ? empty_scans_ + 1 : 0;
    quiet_ = is_empty ? quiet_ + (nobody_was_born ? 1 : 0) : 0;
  }
  bool are_proof() const { return quiet_ >= 2 || empty_scans_ >= 6; }

 private:
  int empty_scans_ = 0;
  int quiet_ = 0;
};

void wait_for_end(os::ProcessRow const& row, core::Duration longest) {
  auto const handle = os::open_process(row.pid);
  pollfd ended{handle.get(), POLLIN, 0};
  if (handle) ::poll(&ended, 1, static_cast<int>(longest.count()));
}

/// True when the run's cgroup is gone.
bool end_cgroup(std::optional<os::Cgroup> const& group, core::Duration limit) {
  return !group || (group->end(limit) && group->remove());
}

}  // namespace

SweepReport sweep_run(SweepTarget const& target, core::Duration limit) {
  ProcessScan scan{target};
  auto const group =
      target.supervisor ? left_cgroup(target.cgroups, target.run, *target.supervisor) : std::nullopt;
  os::SystemClock const clock;
  auto const deadline = clock.uptime() + limit;
  auto const doubted_until = std::min(deadline, clock.uptime() + kLongestExec);
  if (group) group->kill();
  std::set<pid_t> killed;
  for (EmptyScanStreak empty; !empty.are_proof();) {
    auto const newest = os::newest_process();
    auto const members = scan.stopped_members();
    if (members.empty() && scan.is_in_doubt() && clock.uptime() < doubted_until) {
      ::poll(nullptr, 0, 1);
      continue;
    }
    empty.count(members.empty(), newest == os::newest_process());
    if (members.empty()) continue;
    if (clock.uptime() >= deadline) return {killed.size(), false};
    kill_whole_groups(members);
    for (auto const& [pid, row] : members) {
      signal_exactly(row, SIGKILL);
      killed.insert(pid);
    }
    wait_for_end(members.begin()->second, core::Duration{100});
    if (target.with_adopted) os::reap_adopted_children();
  }
  return {killed.size(), end_cgroup(group, std::max(deadline - clock.uptime(), core::Duration{}))};
}

}  // namespace andon::runner
