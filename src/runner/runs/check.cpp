#include "runner/runs/check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>

#include "core/text/terminal_text.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kKeptOutput = 16U << 10U;
constexpr core::Duration kLookEvery{1'000};
constexpr std::string_view kStopped = "it was ended with its run";

/// Keeps the end of the output.
class Tail {
 public:
  void add(std::string_view text) {
    text_.append(text);
    if (text_.size() > 2 * kKeptOutput) text_.erase(0, text_.size() - kKeptOutput);
  }
  std::string text() const { return std::string{tail(as_utf8(text_), kKeptOutput)}; }

 private:
  std::string text_;
};

std::optional<std::filesystem::path> program_of(CheckSpec const& check,
                                                std::filesystem::path const& directory,
                                                std::vector<std::string> const& environment) {
  auto const& name = check.argv.front();
  if (name.find('/') != std::string::npos) return os::find_program((directory / name).native(), {});
  for (std::string_view const variable : environment)
    if (variable.starts_with("PATH=")) return os::find_program(name, variable.substr(5));
  return std::nullopt;
}

bool has_ended(os::Child const& child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

/// False at the end of the stream.
bool take_some(os::Descriptor const& pipe, Tail& tail) {
  std::array<char, 16384> part;
  auto const n = ::read(pipe.get(), part.data(), part.size());
  if (n < 0) return errno == EINTR;
  tail.add({part.data(), static_cast<std::size_t>(n)});
  return n > 0;
}

/// Waits for the end. Returns why the check was ended early; empty when it ended by itself.
std::string wait_for_end(os::Child const& child, os::Descriptor& pipe, Tail& tail, core::Duration limit,
                         CheckStop const& stop) {
  os::SystemClock const clock;
  auto looked = clock.uptime();
  auto deadline = looked + limit;
  while (!has_ended(child)) {
    auto const now = clock.uptime();
    if (stop.is_frozen()) deadline += now - looked;
    looked = now;
    auto const left = deadline - now;
    if (left <= core::Duration{})
      return "it took longer than " + std::to_string(limit.count() / 1000) + " s and was ended";
    std::vector<pollfd> waiting{{pipe.get(), POLLIN, 0}, {child.handle.get(), POLLIN, 0}};
    for (auto const handle : stop.handles) waiting.push_back({handle, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(std::min(left, kLookEvery).count())) < 0 &&
        errno != EINTR)
      os::fail("wait");
    if (waiting[0].revents != 0 && !take_some(pipe, tail)) pipe.reset();
    if (stop.should_stop()) return std::string{kStopped};
  }
  return {};
}

/// Reads the available bytes without waiting, since a process that the check left behind may hold the pipe
/// for ever.
void drain(os::Descriptor const& pipe, Tail& tail) {
  if (!pipe) return;
  os::set_nonblocking(pipe);
  for (std::size_t parts = 0; parts < 64 && take_some(pipe, tail); ++parts) {
  }
}

}  // namespace

core::CheckResult run_check(CheckSpec const& check, std::filesystem::path const& directory,
                            std::vector<std::string> const& environment, core::Duration limit,
                            Redactor const& redactor, CheckStop const& stop) {
  core::CheckResult result;
  result.name = check.name;
  auto const program = check.argv.empty() ? std::nullopt : program_of(check, directory, environment);
  if (!program) {
    result.output = check.argv.empty() ? "the check names no command"
                                       : "the program \"" + check.argv.front() + "\" is not installed";
    return result;
  }
  os::SystemClock const clock;
  auto const begun = clock.uptime();
  auto output = os::make_pipe();
  Tail tail;
  try {
    auto const child = os::spawn({.program = *program,
                                  .argv = check.argv,
                                  .env = environment,
                                  .cwd = stop.directory < 0 ? directory : std::filesystem::path{},
                                  .cwd_handle = stop.directory,
                                  .out = output.write.get(),
                                  .err = output.write.get(),
                                  .cgroup = stop.cgroup,
                                  .confinement = stop.confinement});
    output.write.reset();
    auto const ended_because = wait_for_end(child, output.read, tail, limit, stop);
    // While the child is not reaped, the kernel cannot reuse the number of its process group.
    ::kill(-child.pid, SIGKILL);
    auto const status = os::reap(child.pid);
    drain(output.read, tail);
    if (!ended_because.empty()) tail.add("\n" + ended_because + "\n");
    result.exit = core::Exit{status.code, status.signal};
    result.passed = ended_because.empty() && status.code == 0;
  } catch (os::SystemError const& error) {
    tail.add(error.what());
  }
  result.output = redactor(core::without_escapes(tail.text()));
  result.seconds = static_cast<double>((clock.uptime() - begun).count()) / 1000;
  return result;
}

core::CheckResult run_twice_at_most(std::function<core::CheckResult()> const& run) {
  auto first = run();
  bool const failed_by_itself = !first.passed && first.exit && first.exit->code;
  if (!failed_by_itself) return first;
  auto second = run();
  second.seconds += first.seconds;
  if (!second.passed) return second;
  second.flaky = true;
  second.output = std::move(first.output);
  return second;
}

}  // namespace andon::runner
