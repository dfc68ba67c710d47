#include "os/processes/own_terminals.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/processes/landlock.hpp"

namespace andon::os {
namespace {

constexpr char const* kTerminals = "/dev/pts";
constexpr char const* kMaker = "/dev/ptmx";
constexpr char const* kOwnMaker = "/dev/pts/ptmx";
constexpr char const* kOptions = "newinstance,ptmxmode=0666,mode=0620";

bool write_line(char const* file, char const* line) {
  auto const opened = ::syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CLOEXEC);
  if (opened < 0) return false;
  auto const length = std::strlen(line);
  auto const written = ::syscall(SYS_write, opened, line, length);
  ::syscall(SYS_close, opened);
  return written == static_cast<long>(length);
}

bool mount_terminals() {
  // As a slave, the namespace sees later mounts of the machine and shows it none of its own.
  return ::syscall(SYS_mount, nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0 &&
         ::syscall(SYS_mount, "devpts", kTerminals, "devpts", MS_NOSUID | MS_NOEXEC, kOptions) == 0 &&
         ::syscall(SYS_mount, kOwnMaker, kMaker, nullptr, MS_BIND, nullptr) == 0;
}

bool allow(int ruleset, char const* path, std::uint64_t rights) {
  landlock::BeneathAttributes rule;
  rule.rights = rights;
  rule.parent =
      static_cast<std::int32_t>(::syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC | O_NOFOLLOW));
  if (rule.parent < 0) return false;
  auto const added = ::syscall(SYS_landlock_add_rule, ruleset, landlock::kRuleBeneath, &rule, 0);
  ::syscall(SYS_close, rule.parent);
  return added == 0;
}

bool allow_terminals(int ruleset) {
  constexpr auto kUse = landlock::kReadFile | landlock::kWriteFile;
  // The bound file is looked up where it is bound, so the rule of its directory does not reach it.
  return allow(ruleset, kTerminals, kUse | landlock::kReadDirectory) && allow(ruleset, kOwnMaker, kUse);
}

int error_number() { return errno == 0 ? EPERM : errno; }

bool try_in_child() {
  OwnTerminals const terminals;
  // Without a signal at its end, and waited for with __WCLONE: other parts of the program reap all children.
  auto const child = static_cast<pid_t>(::syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    bool has_begun = false;
    auto const error = terminals.enter(-1, has_begun);
    for (;;) ::syscall(SYS_exit_group, error == 0 ? 0 : 1);
  }
  if (child < 0) return false;
  int status = 0;
  while (::waitpid(child, &status, static_cast<int>(__WCLONE)) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

OwnTerminals::OwnTerminals() : is_root_(::geteuid() == 0) {
  auto const line = [](std::array<char, 64>& to, unsigned id) {
    std::snprintf(to.data(), to.size(), "%u %u 1", id, id);
  };
  line(user_, ::geteuid());
  line(group_, ::getegid());
}

int OwnTerminals::enter_user_namespace() const {
  // The files of a process that hides its memory belong to root. The memory is a copy of the parent's until
  // the exec, and only programs outside of every sandbox could read it meanwhile.
  if (::syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) return error_number();
  bool const is_mapped = write_line("/proc/self/setgroups", "deny") &&
                         write_line("/proc/self/uid_map", user_.data()) &&
                         write_line("/proc/self/gid_map", group_.data());
  auto const error = is_mapped ? 0 : error_number();
  ::syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  return error;
}

int OwnTerminals::enter(int ruleset, bool& has_begun) const {
  constexpr unsigned long kMounts = CLONE_NEWNS;
  constexpr unsigned long kUsers = CLONE_NEWUSER;
  if (::syscall(SYS_unshare, is_root_ ? kMounts : kMounts | kUsers) != 0) return error_number();
  has_begun = true;
  if (!is_root_)
    if (auto const error = enter_user_namespace(); error != 0) return error;
  if (!mount_terminals()) return error_number();
  return ruleset < 0 || allow_terminals(ruleset) ? 0 : error_number();
}

bool can_have_own_terminals() {
  static bool const can = try_in_child();
  return can;
}

}  // namespace andon::os
