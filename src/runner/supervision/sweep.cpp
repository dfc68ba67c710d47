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

/// A process that shows neither arguments nor environment for longer is no program on its way to another.
constexpr core::Duration kLongestExec{2'000};

bool is_that(os::ProcessRow const& row, std::optional<os::ProcessId> const& process) {
  return process && os::is_alive(*process) && row.pid == process->pid && row.started == process->started;
}

/// Signals that process and no other that has its number by now.
void signal_exactly(os::ProcessRow const& row, int signal) {
  auto const id = os::identify(row.pid);
  if (id && id->started == row.started) os::send_signal(*id, signal);
}

/// The processes of a run: those we know by identity, marker or input, and all their descendants.
class ProcessScan {
 public:
  explicit ProcessScan(SweepTarget const& target)
      : target_(target), marker_(RunFiles{target.run_dir}.marker()), since_(start_of(target)) {}

  /// Stops them at sight: one that only starts the next and ends would be gone when the look is over.
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
  /// Whether the last look met somebody of whom nothing could be said.
  bool is_in_doubt() const { return is_in_doubt_; }

 private:
  static bool may_be_ours(os::ProcessRow const& row) {
    return row.pid > 1 && row.pid != ::getpid() && row.state != 'Z' && row.state != 'X';
  }
  bool is_ours(os::ProcessRow const& row) const {
    return may_be_ours(row) && (is_that(row, target_.supervisor) || adopted_.contains(row.pid) ||
                                os::was_started_with(row.pid, marker_) || reads_the_input(row));
  }
  /// A file that was removed leaves its number to another: who is older than the run reads that one.
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

/// The kernel kills a group at once, so that members cannot outrun us by forking. Only groups all of whose
/// members are of the run.
void kill_whole_groups(Members const& members) {
  std::set<pid_t> groups;
  for (auto const& [pid, row] : members) groups.insert(row.group);
  for (auto const& row : os::process_table())
    if (!members.contains(row.pid) && !members.contains(row.parent) && row.state != 'Z')
      groups.erase(row.group);
  for (auto const group : groups)
    if (group > 1 && group != ::getpgrp()) ::kill(-group, SIGKILL);
}

/// A look that found nothing has seen every process when none was born meanwhile; two of them, to be sure. A
/// machine on which processes are born all the time allows no such look: several empty ones in a row must do
/// there. One that met a process in the middle of an exec says nothing, as long as that may last.
class EmptyScanStreak {
 public:
  void count(bool is_empty, bool nobody_was_born) {
    looks_ = is_empty ? looks_ + 1 : 0;
    quiet_ = is_empty ? quiet_ + (nobody_was_born ? 1 : 0) : 0;
  }
  bool are_proof() const { return quiet_ >= 2 || looks_ >= 6; }

 private:
  int looks_ = 0;
  int quiet_ = 0;
};

void wait_for_end(os::ProcessRow const& row, core::Duration longest) {
  auto const handle = os::open_process(row.pid);
  pollfd ended{handle.get(), POLLIN, 0};
  if (handle) ::poll(&ended, 1, static_cast<int>(longest.count()));
}

/// True when the run has none any more.
bool end_cgroup(std::optional<os::Cgroup> const& group, core::Duration limit) {
  return !group || (group->end(limit) && group->remove());
}

}  // namespace

SweepReport sweep_run(SweepTarget const& target, core::Duration limit) {
  ProcessScan census{target};
  auto const group =
      target.supervisor ? left_cgroup(target.cgroups, target.run, *target.supervisor) : std::nullopt;
  os::SystemClock const clock;
  auto const deadline = clock.uptime() + limit;
  auto const doubted_until = std::min(deadline, clock.uptime() + kLongestExec);
  if (group) group->kill();
  std::set<pid_t> killed;
  for (EmptyScanStreak empty; !empty.are_proof();) {
    auto const newest = os::newest_process();
    auto const members = census.stopped_members();
    if (members.empty() && census.is_in_doubt() && clock.uptime() < doubted_until) {
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
