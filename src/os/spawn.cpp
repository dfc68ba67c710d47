#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>

#include "os/process.hpp"
#include "os/system_error.hpp"

namespace andon::os {
namespace {

/// posix_spawn functions return the error instead of setting errno.
void check(int error, std::string_view what, std::string_view object = {}) {
  if (error != 0) throw SystemError(what, object, error);
}

class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_), "prepare a process"); }
  FileActions(FileActions const&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  void put(int from, int to) {
    if (from >= 0)
      check(::posix_spawn_file_actions_adddup2(&actions_, from, to), "redirect a process");
    else
      check(::posix_spawn_file_actions_addopen(&actions_, to, "/dev/null", to == 0 ? O_RDONLY : O_WRONLY, 0),
            "redirect a process");
  }
  void start_in(std::filesystem::path const& cwd) {
    if (!cwd.empty())
      check(::posix_spawn_file_actions_addchdir_np(&actions_, cwd.c_str()), "start a process in");
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

/// A redirection must not overwrite a descriptor that a later one still needs.
Descriptor above_standard(int number) {
  if (number < 0 || number > 2) return {};
  Descriptor copy{::fcntl(number, F_DUPFD_CLOEXEC, 3)};
  if (!copy) fail("copy a descriptor");
  return copy;
}

}  // namespace

Child spawn(Command const& command) {
  auto const in = above_standard(command.in);
  auto const out = above_standard(command.out);
  auto const err = above_standard(command.err);
  FileActions actions;
  actions.put(in ? in.get() : command.in, 0);
  actions.put(out ? out.get() : command.out, 1);
  actions.put(err ? err.get() : command.err, 2);
  actions.start_in(command.cwd);
  actions.close_from(3);
  Attributes const attributes{command.own_session};
  auto const argv = pointers(command.argv);
  auto const env = pointers(command.env);
  Child child;
  auto const error = ::posix_spawn(&child.pid, command.program.c_str(), actions.get(), attributes.get(),
                                   argv.data(), env.data());
  if (error != 0) throw SystemError("start", command.program.native() + " in " + command.cwd.native(), error);
  child.handle = open_process(child.pid);
  return child;
}

}  // namespace andon::os
