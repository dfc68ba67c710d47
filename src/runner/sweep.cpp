#include "runner/sweep.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <poll.h>
#include <set>

#include "os/clock.hpp"
#include "os/process_table.hpp"
#include "runner/run_files.hpp"

namespace andon::runner {
namespace {

using Members = std::map<pid_t, os::ProcessRow>;

bool is_that(os::ProcessRow const& row, std::optional<os::ProcessId> const& process) {
  return process && os::is_alive(*process) && row.pid == process->pid && row.started == process->started;
}

/// The processes of a run: those we know by identity or marker, their sessions' and groups' other members as
/// far as they descend from them, and all descendants.
class Census {
 public:
  explicit Census(RunFiles const& files)
      : supervisor_(read_process(files.supervisor())),
        agent_(read_process(files.agent())),
        marker_(files.marker()),
        input_(files.input()) {}

  Members members() const {
    auto const table = os::process_table();
    Members found;
    for (auto const& row : table)
      if (is_ours(row)) found.emplace(row.pid, row);
    for (bool grew = true; grew;) {
      grew = false;
      for (auto const& row : table)
        if (found.contains(row.parent) && may_be_ours(row)) grew = found.emplace(row.pid, row).second || grew;
    }
    return found;
  }

 private:
  static bool may_be_ours(os::ProcessRow const& row) {
    return row.pid > 1 && row.pid != ::getpid() && row.state != 'Z' && row.state != 'X';
  }
  bool is_ours(os::ProcessRow const& row) const {
    return may_be_ours(row) && (is_that(row, supervisor_) || is_that(row, agent_) ||
                                os::was_started_with(row.pid, marker_) || os::reads_from(row.pid, input_));
  }

  std::optional<os::ProcessId> supervisor_;
  std::optional<os::ProcessId> agent_;
  std::string marker_;
  std::string input_;
};

/// Kills that process and no other that has its number by now.
void kill_exactly(os::ProcessRow const& row) {
  auto id = os::identify(row.pid);
  if (id && id->started == row.started) os::send_signal(*id, SIGKILL);
}

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

void wait_for_end(os::ProcessRow const& row, core::Duration longest) {
  auto const handle = os::open_process(row.pid);
  pollfd ended{handle.get(), POLLIN, 0};
  if (handle) ::poll(&ended, 1, static_cast<int>(longest.count()));
}

}  // namespace

SweepReport sweep_run(std::filesystem::path const& run_dir, core::Duration limit) {
  RunFiles const files{run_dir};
  Census const census{files};
  os::SystemClock const clock;
  auto const deadline = clock.uptime() + limit;
  std::set<pid_t> killed;
  // A process born while one look went on may be missing in it: two empty looks are the proof.
  for (int empty_looks = 0; empty_looks < 2;) {
    auto const members = census.members();
    if (members.empty()) {
      ++empty_looks;
      continue;
    }
    empty_looks = 0;
    if (clock.uptime() >= deadline) return {killed.size(), false};
    kill_whole_groups(members);
    for (auto const& [pid, row] : members) {
      kill_exactly(row);
      killed.insert(pid);
    }
    wait_for_end(members.begin()->second, core::Duration{100});
  }
  return {killed.size(), true};
}

}  // namespace andon::runner
