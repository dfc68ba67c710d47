#include "runner/supervision/supervised_check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/adopted_children.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/process.hpp"
#include "os/processes/signals.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "runner/profiles/sandbox_hint.hpp"
#include "runner/runs/check.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/run_cgroup.hpp"
#include "runner/supervision/sweep.hpp"
#include "runner/supervision/tree.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestInput = 4U << 20U;
constexpr std::size_t kLongestAnswer = 1U << 20U;
constexpr core::Duration kLookEvery{1'000};
/// The time for the supervising process to end everything after the limit of its command.
constexpr core::Duration kEnding = 3 * kSweepLimit;
/// No run has this number. It stands in the names of the cgroups of supervised checks.
constexpr core::RunId kNoRun = 0;

core::CheckResult failed(CheckSpec const& check, std::string reason) {
  core::CheckResult result;
  result.name = check.name;
  result.output = std::move(reason);
  return result;
}

/// Appends what can be read. False at the end of the stream.
bool read_some(int file, std::string& text) {
  std::array<char, 16384> part;
  auto const n = ::read(file, part.data(), part.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  text.append(part.data(), static_cast<std::size_t>(n));
  return n > 0;
}

core::Result<SupervisedCheck> read_input() {
  std::string text;
  while (text.find('\n') == std::string::npos && text.size() < kLongestInput)
    if (!read_some(STDIN_FILENO, text)) break;
  ANDON_TRY(auto const json, reflect::parse_json(text, {.depth = 16, .nodes = 100'000}));
  return reflect::from_json<SupervisedCheck>(json, reflect::Unknown::ignore);
}

/// The server sends nothing after its line, so any readiness means that it ended or wants a stop.
bool is_input_closed() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

core::CheckResult run_in_cage(SupervisedCheck const& held, os::SignalQueue& signals) {
  auto sandbox = held.sandbox ? confinement_of(*held.sandbox, Confined::agent, {}) : std::nullopt;
  if (held.sandbox && !sandbox) return failed(held.check, "the kernel cannot make its sandbox");
  os::Descriptor const directory{::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!directory) os::fail("open", held.directory);
  RunCgroup cgroup(kNoRun);
  auto const place = cgroup.place();
  auto result = run_check(held.check, held.directory, held.env, held.limit,
                          Redactor::for_environment(held.env, held.secrets),
                          {.handles = {STDIN_FILENO, signals.handle()},
                           .should_stop = [&] { return is_input_closed() || signals.next().has_value(); },
                           .cgroup = place.get(),
                           .confinement = os::handle_of(sandbox),
                           .directory = directory.get()});
  add_sandbox_hint(result, held.sandbox, Confined::agent);
  bool const is_group_empty = cgroup.end(kSweepLimit);
  if (!kill_all_children(kSweepLimit) || !is_group_empty)
    result.output += "\nsome of its processes would not end\n";
  return result;
}

/// Reads the answer of the supervising process until its end. Closes `input` when the command must stop.
std::string answer_of(os::Descriptor& input, os::Descriptor const& output, core::Duration limit,
                      std::function<bool()> const& should_stop) {
  os::SystemClock const clock;
  auto const deadline = clock.uptime() + limit + kEnding;
  std::string text;
  for (;;) {
    pollfd waiting{output.get(), POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(kLookEvery.count()));
    if (waiting.revents != 0 && !read_some(output.get(), text)) return text;
    if (text.size() > kLongestAnswer || clock.uptime() >= deadline) return {};
    if (should_stop()) input.reset();
  }
}

std::optional<core::CheckResult> result_in(std::string_view answer) {
  auto const json = reflect::parse_json(answer, {.depth = 16, .nodes = 1'000});
  if (!json) return std::nullopt;
  auto result = reflect::from_json<core::CheckResult>(*json, reflect::Unknown::ignore);
  return result ? std::optional{*std::move(result)} : std::nullopt;
}

}  // namespace

core::CheckResult run_supervised(SupervisedCheck const& check, CheckSupervision const& supervision) try {
  auto input = os::make_pipe();
  auto output = os::make_pipe();
  auto const child = os::spawn({.program = supervision.program,
                                .argv = {supervision.program.native(), "supervise-check"},
                                .env = {RunFiles{supervision.run_dir}.marker()},
                                .cwd = supervision.directory < 0 ? check.directory : std::string{},
                                .cwd_handle = supervision.directory,
                                .in = input.read.get(),
                                .out = output.write.get()});
  auto const identity = os::identify(child.pid);
  input.read.reset();
  output.write.reset();
  std::string answer;
  try {
    os::write_all(input.write, reflect::to_json(check) + "\n", "the input of a supervising process");
    answer = answer_of(input.write, output.read, check.limit, supervision.should_stop);
  } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): it was killed; there is no answer
  }
  if (auto result = result_in(answer)) {
    os::reap(child.pid);
    return *std::move(result);
  }
  ::kill(child.pid, SIGKILL);
  os::reap(child.pid);
  auto const cgroups = os::delegated_cgroup();
  sweep_run({.run_dir = supervision.run_dir,
             .run = kNoRun,
             .supervisor = identity,
             .cgroups = cgroups ? *cgroups : std::filesystem::path{},
             .with_adopted = true});
  return failed(check.check, "its supervising process was killed");
} catch (os::SystemError const& error) {
  return failed(check.check, error.what());
}

int supervise_check() {
  os::hide_memory();
  os::ignore_write_signals();
  os::SignalQueue signals{SIGTERM, SIGINT, SIGHUP};
  os::adopt_orphans();
  auto const held = read_input();
  if (!held) return 2;
  auto result = failed(held->check, {});
  try {
    result = run_in_cage(*held, signals);
  } catch (std::exception const& error) {
    kill_all_children(kSweepLimit);
    result.output = error.what();
  }
  try {
    os::write_all(os::Descriptor{::dup(STDOUT_FILENO)}, reflect::to_json(result) + "\n", "the result");
  } catch (os::SystemError const&) {
    return 1;  // the server ended
  }
  return 0;
}

}  // namespace andon::runner
