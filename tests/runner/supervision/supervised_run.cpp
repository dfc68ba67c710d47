#include "runner/supervision/supervised_run.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/cgroup.hpp"
#include "os/processes/process_table.hpp"
#include "runner/supervision/sweep.hpp"

namespace andon::test {
namespace {

constexpr int kDeadline = 30'000;  // milliseconds; no test passes or fails by it unless something hangs

}  // namespace

SupervisedRun::SupervisedRun(std::string_view zoo_program) : files_(scratch_.path()) {
  prepare({std::string{ANDON_ZOO} + "/" + std::string{zoo_program}});
}

SupervisedRun::SupervisedRun(std::vector<std::string> argv) : files_(scratch_.path()) {
  prepare(std::move(argv));
}

SupervisedRun::~SupervisedRun() {
  runner::sweep_run(target());
  if (supervisor_.pid > 0) os::reap(supervisor_.pid);
}

void SupervisedRun::prepare(std::vector<std::string> argv) {
  auto const pipe = scratch_ / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  pipe_.reset(::open(pipe.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  std::filesystem::create_directory(scratch_ / "work");
  spec.run = 7;
  spec.task = 42;
  spec.epoch = 3;
  spec.token = "secret-of-the-run";
  spec.program = argv.front();
  spec.argv = std::move(argv);
  spec.env = {"PATH=/usr/bin:/bin", files_.marker(), "ZOO_PIPE=" + pipe.native(),
              "ANDON_TOKEN=" + spec.token};
  spec.cwd = scratch_ / "work";
  spec.records = scratch_ / "repositories";
  spec.exit = {{"0", runner::ExitClass::ok}};
  spec.limits.kill_grace = core::Duration{50};
  spec.limits.heartbeat = core::Duration{50};
  spec.limits.drain = core::Duration{20};
}

void SupervisedRun::start() {
  start_waiting();
  give_key(kRunKey);
}

void SupervisedRun::start_waiting() {
  runner::write_spec(files_, spec);
  os::write_file(files_.input(), input);
  auto key = os::make_pipe();
  supervisor_ = os::spawn({.program = ANDON_SUPERVISE,
                           .argv = {ANDON_SUPERVISE, dir().native()},
                           .env = {files_.marker(), "ASAN_OPTIONS=detect_leaks=0"},
                           .in = key.read.get(),
                           .err = 2});
  key_ = std::move(key.write);
  identity_ = os::identify(supervisor_.pid);
  input_id_ = runner::identity_of_input(files_);
}

void SupervisedRun::give_key(std::string_view key) {
  os::write_all(key_, key, "key");
  key_.reset();
}

runner::SweepTarget SupervisedRun::target() const {
  auto const cgroups = os::delegated_cgroup();
  return {.run_dir = dir(),
          .run = spec.run,
          .supervisor = identity_,
          .input = input_id_,
          .cgroups = cgroups ? *cgroups : std::filesystem::path{}};
}

std::vector<pid_t> SupervisedRun::wait_for(std::size_t processes) {
  std::string said;
  while (std::count(said.begin(), said.end(), '\n') < static_cast<std::ptrdiff_t>(processes)) {
    std::array waiting{pollfd{pipe_.get(), POLLIN, 0}, pollfd{supervisor_.handle.get(), POLLIN, 0}};
    REQUIRE(::poll(waiting.data(), waiting.size(), kDeadline) > 0);
    if (waiting[0].revents == 0) break;
    char part[256];
    auto const n = ::read(pipe_.get(), part, sizeof part);
    if (n > 0) said.append(part, static_cast<std::size_t>(n));
  }
  std::vector<pid_t> pids;
  for (std::size_t at = 0; at < said.size(); at = said.find('\n', at) + 1)
    pids.push_back(std::stoi(said.substr(at)));
  for (auto const pid : pids)
    if (auto const id = os::identify(pid)) seen_.push_back(*id);
  return pids;
}

void SupervisedRun::signal(int number) { REQUIRE(::kill(supervisor_.pid, number) == 0); }

void SupervisedRun::answer(std::string_view word) { os::write_file(scratch_ / "answer", word); }

runner::EndRecord SupervisedRun::end() {
  pollfd ended{supervisor_.handle.get(), POLLIN, 0};
  REQUIRE(::poll(&ended, 1, kDeadline) == 1);
  auto const status = os::reap(std::exchange(supervisor_.pid, 0));
  CHECK(status.code == 0);
  auto record = runner::sealed_end(files_, spec.run, kRunKey);
  REQUIRE(record);
  return *std::move(record);
}

void SupervisedRun::kill_supervisor() {
  REQUIRE(::kill(supervisor_.pid, SIGKILL) == 0);
  os::reap(std::exchange(supervisor_.pid, 0));
}

std::vector<runner::LogItem> SupervisedRun::log() const {
  return runner::read_log(dir(), "", 64U << 20U).items;
}

std::size_t SupervisedRun::survivors() const {
  std::size_t count = 0;
  for (auto const& process : seen_) count += os::is_alive(process) ? 1U : 0U;
  for (auto const& row : os::process_table())
    if (row.state != 'Z' && os::was_started_with(row.pid, files_.marker())) ++count;
  return count;
}

}  // namespace andon::test
