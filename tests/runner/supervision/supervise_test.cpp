#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "reflect/json.hpp"
#include "runner/profiles/profiles.hpp"
#include "runner/supervision/supervised_run.hpp"
#include "runner/supervision/sweep.hpp"

using namespace andon;
using namespace andon::runner;
using test::SupervisedRun;

namespace {

bool has_line(std::vector<LogItem> const& log, std::string_view text) {
  return std::ranges::any_of(log,
                             [&](LogItem const& item) { return item.text.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("Supervise.ARunEndsWithItsExitCodeOutputAndReport") {
  SupervisedRun run{
      std::vector<std::string>{"/bin/sh", "-c", "cat; echo \"token $ANDON_TOKEN\"; echo aside >&2; exit 3"}};
  os::write_file(run / "refuse-finish-once", "");
  run.start();
  auto const end = run.end();
  CHECK(end.run == 7);
  CHECK(end.task == 42);
  CHECK(end.epoch == 3);
  REQUIRE(end.exit);
  CHECK(end.exit->code == 3);
  CHECK_FALSE(end.stopped);
  CHECK(end.error_class == ErrorClass::fail);
  CHECK(end.output_tail.find("the prompt\ntoken [redacted]\n") != std::string::npos);
  CHECK(has_line(run.log(), "the prompt"));
  CHECK(has_line(run.log(), "aside"));
  CHECK_FALSE(has_line(run.log(), "secret-of-the-run"));
  CHECK(os::read_file(run / "finish.json", 1 << 20) + "\n" == os::read_file(run / "end.json", 1 << 20));
}

TEST_CASE("Supervise.AnAgentThatCannotStartIsReported") {
  SupervisedRun run{std::vector<std::string>{"/nowhere/agent"}};
  run.start();
  auto const end = run.end();
  CHECK_FALSE(end.exit);
  CHECK(end.error_class == ErrorClass::spawn_failed);
  CHECK(end.error.find("/nowhere/agent") != std::string::npos);
}

TEST_CASE("Supervise.TheEndComesFromTheWaitStatus") {
  SUBCASE("at once, without reading the input") {
    SupervisedRun run{"exits_at_once"};
    run.input.assign(4 << 20, 'x');
    run.start();
    auto const end = run.end();
    CHECK(end.exit->code == 0);
    CHECK_FALSE(end.error_class);
  }
  SUBCASE("without ever reading the input") {
    SupervisedRun run{"never_reads_stdin"};
    run.input.assign(4 << 20, 'x');
    run.start();
    CHECK(run.end().output_tail == "worked without reading\n");
  }
  SUBCASE("by a signal nobody sent") {
    SupervisedRun run{"dies_by_signal"};
    run.start();
    auto const end = run.end();
    CHECK(end.exit->signal == SIGKILL);
    CHECK_FALSE(end.stopped);
    CHECK(end.error_class == ErrorClass::signal);
    CHECK(end.output_tail == "about to crash\n");
  }
  SUBCASE("while a child holds the pipes") {
    SupervisedRun run{"holds_pipe"};
    run.start();
    run.wait_for(2);
    auto const end = run.end();
    CHECK(end.exit->code == 3);
    CHECK(end.output_tail == "leader done\n");
    CHECK(run.survivors() == 0);
  }
  SUBCASE("although a daemon was left behind") {
    SupervisedRun run{"double_forks"};
    run.start();
    run.wait_for(2);
    CHECK(run.end().exit->code == 0);
    CHECK(run.survivors() == 0);
  }
  SUBCASE("although its directory went away") {
    SupervisedRun run{"moves_away"};
    run.start();
    CHECK(run.end().output_tail == "gone\n");
  }
}

TEST_CASE("Supervise.KillLeavesNoProcessOfAnyShape") {
  struct Shape {
    std::string_view program;
    std::size_t processes;
  };
  for (auto const& shape :
       {Shape{"hangs", 1}, Shape{"ignores_term", 1}, Shape{"setsid_grandchild", 3}, Shape{"closes_pipes", 1},
        Shape{"floods", 1}, Shape{"stops_itself", 1}, Shape{"storms", 1}, Shape{"changes_title", 1}}) {
    CAPTURE(shape.program);
    SupervisedRun run{shape.program};
    run.start();
    run.wait_for(shape.processes);
    run.signal(SIGTERM);
    auto const end = run.end();
    CHECK(end.stopped == StopReason::killed);
    CHECK(end.exit->signal.has_value());
    CHECK_FALSE(end.error_class);
    CHECK(run.survivors() == 0);
  }
}

TEST_CASE("Supervise.FrozenAgentsCanBeKilled") {
  for (std::string_view const program : {"hangs", "floods", "setsid_grandchild", "storms"}) {
    CAPTURE(program);
    SupervisedRun run{program};
    run.start();
    run.wait_for(1);
    run.signal(SIGTSTP);
    run.signal(SIGTERM);
    CHECK(run.end().stopped == StopReason::killed);
    CHECK(run.survivors() == 0);
  }
}

TEST_CASE("Supervise.AKilledSupervisorIsSurvivedBySweeping") {
  struct Shape {
    std::string_view program;
    std::size_t processes;
  };
  for (auto const& shape : {Shape{"hangs", 1}, Shape{"ignores_term", 1}, Shape{"setsid_grandchild", 3},
                            Shape{"floods", 1}, Shape{"stops_itself", 1}, Shape{"storms", 1},
                            Shape{"changes_title", 1}, Shape{"holds_pipe", 2}, Shape{"double_forks", 2}}) {
    CAPTURE(shape.program);
    SupervisedRun run{shape.program};
    run.start();
    run.wait_for(shape.processes);
    run.kill_supervisor();
    auto const report = sweep_run(run.target());
    CHECK(report.is_empty);
    CHECK(run.survivors() == 0);
    CHECK(sweep_run(run.target()).killed == 0);
  }
}

TEST_CASE("Sweep.AnotherProcessWithTheSameNumberIsLeftAlone") {
  SupervisedRun run{"hangs"};
  run.start();
  auto const pid = run.wait_for(1).front();
  test::Scratch const other;
  auto stranger = *os::identify(pid);
  stranger.started += 1;
  auto const report = sweep_run({.run_dir = other.path(), .supervisor = stranger});
  CHECK(report.is_empty);
  CHECK(report.killed == 0);
  CHECK(os::is_alive(*os::identify(pid)));
}

TEST_CASE("Sweep.NobodyIsHitBecauseAFileOfTheRunNamesIt") {
  SupervisedRun run{"hangs"};
  run.start();
  auto const bystander = *os::identify(run.wait_for(1).front());
  test::Scratch const other;
  for (auto const* name : {"agent.json", "supervisor.json"})
    os::write_file(other / name, R"({"process":")" + os::to_text(bystander) + "\"}");
  os::write_file(other / "cgroup.json", R"({"directory":"/sys/fs/cgroup"})");
  // The input becomes one that half of the machine has.
  os::write_file(other / "stdin.txt", "");
  auto const input = identity_of_input(RunFiles{other.path()});
  std::filesystem::remove(other / "stdin.txt");
  std::filesystem::create_symlink("/dev/null", other / "stdin.txt");
  auto const report = sweep_run({.run_dir = other.path(), .input = input});
  CHECK(report.killed == 0);
  CHECK(os::is_alive(bystander));
}

TEST_CASE("Supervise.NothingBeginsBeforeTheServerKnowsTheProcess") {
  SupervisedRun run{"hangs"};
  run.start_waiting();
  CHECK_FALSE(std::filesystem::exists(run / "beats"));
  run.give_key(test::kRunKey);
  run.wait_for(1);
  run.signal(SIGTERM);
  CHECK(run.end().stopped == StopReason::killed);
}

TEST_CASE("Supervise.AnEndCountsOnlyUnderTheSealOfItsSupervisor") {
  SupervisedRun run{std::vector<std::string>{"/bin/true"}};
  run.start();
  auto record = run.end();
  RunFiles const files{run.dir()};
  REQUIRE(sealed_end(files, 7, test::kRunKey));
  CHECK_FALSE(sealed_end(files, 8, test::kRunKey));
  CHECK_FALSE(sealed_end(files, 7, "another key"));
  CHECK_FALSE(sealed_end(files, 7, ""));
  record.checks.push_back({"unit", true, ""});
  os::write_file(files.end(), reflect::to_json(record) + "\n");
  CHECK_FALSE(sealed_end(files, 7, test::kRunKey));
  write_end(files, record, "a guess");
  CHECK_FALSE(sealed_end(files, 7, test::kRunKey));
  std::filesystem::remove(files.end());
  std::filesystem::create_directory(files.end());
  CHECK_FALSE(sealed_end(files, 7, test::kRunKey));
}

TEST_CASE("Supervise.ItsMemoryIsHiddenFromOthersOfTheSameUser") {
  SupervisedRun run{"hangs"};
  run.start();
  run.wait_for(1);
  struct stat about{};
  REQUIRE(::stat(("/proc/" + std::to_string(run.target().supervisor->pid) + "/mem").c_str(), &about) == 0);
  CHECK(about.st_uid == 0);
  run.signal(SIGTERM);
  run.end();
}

TEST_CASE("Supervise.PoliteStopFollowsTheProfile") {
  SupervisedRun run{"hangs"};
  run.spec.stop = {{"USR2", 10}, {"KILL", 0}};
  run.start();
  run.wait_for(1);
  run.signal(SIGUSR1);
  auto const end = run.end();
  CHECK(end.stopped == StopReason::stopped);
  CHECK(end.exit->signal == SIGUSR2);
}

TEST_CASE("Supervise.KillOvertakesAPoliteStop") {
  SupervisedRun run{"ignores_term"};
  run.spec.stop = {{"TERM", 600}, {"KILL", 0}};
  run.start();
  run.wait_for(1);
  run.signal(SIGUSR1);
  run.signal(SIGTERM);
  auto const end = run.end();
  CHECK(end.stopped == StopReason::killed);
  CHECK(end.exit->signal == SIGKILL);
}

TEST_CASE("Supervise.TheAgentEndsWithItsClaim") {
  SUBCASE("stale") {
    SupervisedRun run{"hangs"};
    run.start();
    run.wait_for(1);
    run.answer("stale");
    CHECK(run.end().stopped == StopReason::stale);
  }
  SUBCASE("cancelled") {
    SupervisedRun run{"ignores_term"};
    run.start();
    run.wait_for(1);
    run.answer("cancelled");
    CHECK(run.end().stopped == StopReason::cancelled);
    CHECK(run.survivors() == 0);
  }
  SUBCASE("nobody answers for a whole lease") {
    SupervisedRun run{"floods"};
    run.spec.limits.lease = core::Duration{300};
    run.answer("unreachable");
    run.start();
    CHECK(run.end().stopped == StopReason::lease_lost);
    CHECK(run.survivors() == 0);
  }
}

TEST_CASE("Supervise.TheClocksOfARunEndIt") {
  SUBCASE("silence") {
    SupervisedRun run{std::vector<std::string>{"/bin/sh", "-c", "echo begun; while :; do sleep 60; done"}};
    run.spec.timeouts.silence_s = 1;
    run.start();
    CHECK(run.end().stopped == StopReason::silence);
  }
  SUBCASE("no first event") {
    SupervisedRun run{"hangs"};
    run.spec.timeouts.first_event_s = 1;
    run.start();
    CHECK(run.end().stopped == StopReason::no_first_event);
  }
  SUBCASE("total") {
    SupervisedRun run{"floods"};
    run.spec.limits.total = core::Duration{200};
    run.spec.stop = {{"TERM", 30}};
    run.start();
    auto const end = run.end();
    CHECK(end.stopped == StopReason::total_time);
    CHECK(end.exit->signal == SIGTERM);
  }
}

TEST_CASE("Supervise.AFatalRuleEndsTheRun") {
  auto const claude = test::built_in("claude");
  SupervisedRun run{std::vector<std::string>{
      "/bin/sh", "-c",
      R"(for i in 1 2; do echo '{"type":"system","subtype":"api_retry","error":"authentication_failed"}'; done; while :; do sleep 60; done)"}};
  run.spec.output = claude.output;
  run.spec.usage = claude.usage;
  run.spec.fatal = claude.fatal;
  run.spec.stop = {{"TERM", 10}};
  run.start();
  auto const end = run.end();
  CHECK(end.stopped == StopReason::fatal);
  CHECK(end.error_class == ErrorClass::auth);
  CHECK(end.error == "authentication_failed");
}

TEST_CASE("Supervise.AnyBytesAreKept") {
  SupervisedRun run{"prints_binary"};
  run.start();
  auto const end = run.end();
  CHECK(end.exit->code == 0);
  CHECK(end.output_tail.ends_with("last words\n"));
  CHECK(run.log().back().text.ends_with("\x1b[2J\x1b]0;title\a last words"));
}

TEST_CASE("Supervise.ProgressAndHeartbeatsReachTheServer") {
  SupervisedRun run{
      std::vector<std::string>{"/bin/sh", "-c", "echo working on it; while :; do sleep 60; done"}};
  REQUIRE(::mkfifo((run / "progress").c_str(), 0600) == 0);
  os::Descriptor const progress{::open((run / "progress").c_str(), O_RDWR | O_CLOEXEC)};
  run.start();
  std::string line(100, '\0');
  auto const n = ::read(progress.get(), line.data(), line.size());
  REQUIRE(n > 0);
  line.resize(static_cast<std::size_t>(n));
  CHECK(line == "working on it");
  run.signal(SIGTERM);
  run.end();
  CHECK_FALSE(os::read_file(run / "beats", 1 << 20).empty());
}
