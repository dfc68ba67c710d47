#include "runner/supervision/agent_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>

#include "os/system_error.hpp"
#include "runner/git/work_place.hpp"
#include "runner/supervision/resource_watch.hpp"

namespace andon::runner {

std::optional<os::Confinement> confinement_for(RunSpec const& spec, Confined who) {
  if (!spec.sandbox) return std::nullopt;
  std::vector<std::string> git;
  if (spec.place) git = {spec.place->git_directory, spec.place->common_directory};
  auto made = confinement_of(*spec.sandbox, who, git);
  if (!made) throw os::SystemError("make the sandbox of", spec.agent, ENOSYS);
  return made;
}

namespace {

/// The opened folder of a work tree; none when the agent works elsewhere. The path would follow a link that
/// an earlier agent put there.
os::Descriptor open_work(RunSpec const& spec) {
  if (!spec.workspace || !spec.place) return {};
  auto opened = enter_folder(*spec.place, spec.workspace->folder);
  if (!opened) throw os::SystemError("start in", opened.error(), ENOTDIR);
  return *std::move(opened);
}

}  // namespace

AgentProcess::AgentProcess(RunFiles const& files, RunSpec const& spec, RunCgroup& cgroup) : cgroup_(cgroup) {
  // The input is a file, because a file has an end: the agent cannot wait for more, nor block this process by
  // not reading.
  os::Descriptor const input{::open(files.input().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!input) os::fail("open", files.input().native());
  cgroup.limit(spec.resources);
  auto const place = cgroup.place();
  auto const sandbox = confinement_for(spec, Confined::agent);
  auto const directory = open_work(spec);
  auto out = os::make_pipe();
  auto err = os::make_pipe();
  child_ = os::spawn({.program = spec.program,
                      .argv = spec.argv,
                      .env = spec.env,
                      .cwd = directory ? std::string{} : spec.cwd,
                      .cwd_handle = directory.get(),
                      .in = input.get(),
                      .out = out.write.get(),
                      .err = err.write.get(),
                      .cgroup = place.get(),
                      .confinement = os::handle_of(sandbox)});
  hold_back(child_.pid, spec.resources);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  os::set_nonblocking(out_);
  os::set_nonblocking(err_);
  identity_ = os::identify(child_.pid).value_or(os::ProcessId{child_.pid, 0, {}});
}

bool AgentProcess::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child_.pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

void AgentProcess::signal_group(int signal) const {
  ::kill(-child_.pid, signal);
  if (signal == SIGKILL) cgroup_.kill();
  // A stopped process handles no signal except KILL before it continues.
  if (signal != SIGKILL) ::kill(-child_.pid, SIGCONT);
}

core::Exit AgentProcess::reap() {
  signal_group(SIGKILL);
  auto const status = os::reap(child_.pid);
  return {status.code, status.signal};
}

}  // namespace andon::runner
