#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <utility>

#include "os/processes/process.hpp"
#include "os/processes/spawn_in_cgroup.hpp"
#include "os/processes/started_children.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

/// posix_spawn functions return the error number instead of setting errno.
void check(int error, std::string_view what, std::string_view object = {}) {
  if (error != 0) throw SystemError(what, object, error);
}

class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_), "prepare a process"); }
  FileActions(FileActions const&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  void put(int from, int to) {
    check(::posix_spawn_file_actions_adddup2(&actions_, from, to), "redirect a process");
  }
  void start_in(char const* cwd) {
    check(::posix_spawn_file_actions_addchdir_np(&actions_, cwd), "start a process in");
  }
  void start_in(int directory) {
    check(::posix_spawn_file_actions_addfchdir_np(&actions_, directory), "start a process in");
  }
  void close_from(int lowest) {
    check(::posix_spawn_file_actions_addclosefrom_np(&actions_, lowest), "prepare a process");
  }
  posix_spawn_file_actions_t const* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  explicit Attributes(bool own_session) {
    check(::posix_spawnattr_init(&attributes_), "prepare a process");
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    auto const group = own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    auto const flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group;
    check(::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags)), "prepare a process");
  }
  Attributes(Attributes const&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  posix_spawnattr_t const* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string> const& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (auto const& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

/// A copy of the descriptor above 2, so that a redirection does not overwrite it before it is used.
Descriptor above_standard(int number) {
  if (number < 0 || number > 2) return {};
  Descriptor copy{::fcntl(number, F_DUPFD_CLOEXEC, 3)};
  if (!copy) fail("copy a descriptor");
  return copy;
}

int start_anywhere(ReadyCommand const& command, pid_t& pid) {
  FileActions actions;
  for (int stream = 0; stream < 3; ++stream)
    actions.put(command.streams[static_cast<std::size_t>(stream)], stream);
  if (command.cwd) actions.start_in(command.cwd);
  if (command.cwd_handle >= 0) actions.start_in(command.cwd_handle);
  actions.close_from(3);
  Attributes const attributes{command.own_session};
  return ::posix_spawn(&pid, command.program, actions.get(), attributes.get(), command.argv, command.env);
}

/// Returns the error number of a failure, or zero.
int start(ReadyCommand const& command, pid_t& pid) {
  auto placed = command.cgroup < 0 ? std::nullopt : spawn_in_cgroup(command);
  if (!placed && command.ruleset >= 0) {
    auto elsewhere = command;
    elsewhere.cgroup = -1;
    placed = spawn_in_cgroup(elsewhere);
    if (!placed) return EPERM;
  }
  if (!placed) return start_anywhere(command, pid);
  pid = placed->pid;
  return placed->error;
}

/// Names the program and directory of a failed start. Adds an explanation for scripts, where the kernel's
/// error misleads.
std::string about(Command const& command, int error) {
  auto text = command.program.native() + " in " + command.cwd.native();
  std::error_code ignored;
  if (error == ENOEXEC) text += " (a script begins with a line such as #!/bin/sh)";
  if (error == ENOENT && std::filesystem::exists(command.program, ignored))
    text += " (the program that its first line names is not there, or the directory is gone)";
  return text;
}

}  // namespace

Child spawn(Command const& command) {
  Descriptor nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  if (!nothing) fail("open", "/dev/null");
  if (auto above = above_standard(nothing.get())) nothing = std::move(above);
  ReadyCommand ready{.program = command.program.c_str(),
                     .cwd = command.cwd.empty() ? nullptr : command.cwd.c_str(),
                     .cwd_handle = command.cwd_handle,
                     .own_session = command.own_session,
                     .cgroup = command.cgroup,
                     .ruleset = command.confinement.ruleset,
                     .has_held_ports = command.confinement.has_held_ports,
                     .takes_capabilities = command.confinement.takes_capabilities};
  OwnTerminals const terminals;
  if (command.confinement.has_own_terminals) ready.terminals = &terminals;
  std::array<int, 3> const wanted{command.in, command.out, command.err};
  std::array<Descriptor, 3> copies;
  for (std::size_t stream = 0; stream < wanted.size(); ++stream) {
    copies[stream] = above_standard(wanted[stream]);
    auto const given = wanted[stream] < 0 ? nothing.get() : wanted[stream];
    ready.streams[stream] = copies[stream] ? copies[stream].get() : given;
  }
  auto const argv = pointers(command.argv);
  auto const env = pointers(command.env);
  ready.argv = argv.data();
  ready.env = env.data();
  Child child;
  {
    auto& started = started_children();
    std::scoped_lock const lock{started.mutex};
    if (auto const error = start(ready, child.pid); error != 0)
      throw SystemError("start", about(command, error), error);
    started.pids.insert(child.pid);
  }
  child.handle = open_process(child.pid);
  return child;
}

}  // namespace andon::os
