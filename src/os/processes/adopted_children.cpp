#include "os/processes/adopted_children.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>

#include "os/processes/started_children.hpp"
#include "os/system_error.hpp"

namespace andon::os {

StartedChildren& started_children() {
  static StartedChildren children;
  return children;
}

void adopt_orphans() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) fail("adopt orphans");
}

namespace {

std::vector<ProcessRow> not_among(std::set<pid_t> const& started) {
  auto children = own_children();
  std::erase_if(children, [&](ProcessRow const& row) { return started.contains(row.pid); });
  return children;
}

}  // namespace

std::vector<ProcessRow> adopted_children() {
  auto& started = started_children();
  std::scoped_lock const lock{started.mutex};
  return not_among(started.pids);
}

void disown(pid_t pid) {
  auto& started = started_children();
  std::scoped_lock const lock{started.mutex};
  started.pids.erase(pid);
}

void reap_adopted_children() {
  auto& started = started_children();
  std::scoped_lock const lock{started.mutex};
  for (auto const& row : not_among(started.pids))
    if (row.state == 'Z') ::waitpid(row.pid, nullptr, WNOHANG | __WALL);
}

}  // namespace andon::os
