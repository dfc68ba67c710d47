#include "runner/supervision/tree.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <set>
#include <sys/wait.h>

#include "os/processes/clock.hpp"
#include "os/processes/process.hpp"
#include "os/processes/process_table.hpp"
#include "os/system_error.hpp"

namespace andon::runner {
namespace {

/// Kills a child and its process group. The child is not reaped yet, so neither number can be reused.
void kill_with_group(os::ProcessRow const& child) {
  if (child.group > 1 && child.group != ::getpgrp()) ::kill(-child.group, SIGKILL);
  ::kill(child.pid, SIGKILL);
}

bool has_ended(os::ProcessRow const& row) { return row.state == 'Z' || row.state == 'X'; }

std::vector<os::ProcessRow> descendants() {
  auto const table = os::process_table();
  std::set<pid_t> ours{::getpid()};
  std::vector<os::ProcessRow> found;
  for (bool grew = true; grew;) {
    grew = false;
    for (auto const& row : table) {
      if (!ours.contains(row.parent) || !ours.insert(row.pid).second) continue;
      found.push_back(row);
      grew = true;
    }
  }
  return found;
}

void wait_for_end(pid_t pid, core::Duration longest) {
  auto const handle = os::open_process(pid);
  pollfd ended{handle.get(), POLLIN, 0};
  if (handle) ::poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(longest.count(), 1)));
}

}  // namespace

void reap_ended_children(pid_t spared) {
  while (true) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return;
    if (info.si_pid == 0 || info.si_pid == spared) return;
    ::waitpid(info.si_pid, nullptr, WNOHANG | __WALL);
  }
}

void freeze_children() {
  // A process that waits inside the kernel, such as a parent between vfork and exec, does not appear stopped.
  // It gets the signal anyway.
  constexpr int kMostPasses = 100;
  std::set<pid_t> told;
  bool grew = true;
  for (int pass = 0; grew && pass < kMostPasses; ++pass) {
    grew = false;
    for (auto const& row : descendants())
      if (!has_ended(row) && told.insert(row.pid).second) grew = ::kill(row.pid, SIGSTOP) == 0 || grew;
  }
}

void thaw_children() {
  for (auto const& row : descendants()) ::kill(row.pid, SIGCONT);
}

bool kill_all_children(core::Duration limit) {
  os::SystemClock const clock;
  auto const deadline = clock.uptime() + limit;
  while (true) {
    reap_ended_children(-1);
    auto const children = os::own_children();
    auto const living = std::ranges::find_if(children, [](auto const& row) { return row.state != 'Z'; });
    for (auto const& child : children)
      if (child.state != 'Z') kill_with_group(child);
    siginfo_t info{};
    if (children.empty() && ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 &&
        errno == ECHILD)
      return true;
    auto const left = deadline - clock.uptime();
    if (left <= core::Duration{}) return false;
    if (living != children.end()) wait_for_end(living->pid, std::min(left, core::Duration{100}));
  }
}

}  // namespace andon::runner
