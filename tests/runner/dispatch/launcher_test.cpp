#include "runner/dispatch/launcher.hpp"

#include <csignal>
#include <poll.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/profiles/profiles.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/sweep.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

LaunchRequest a_launch(std::string_view profile) {
  LaunchRequest request;
  request.run.id = 911;
  request.run.task = 42;
  request.run.epoch = 3;
  request.run.worker = "developer";
  request.run.board = "hosting";
  request.prompt.task.id = 42;
  request.prompt.task.title = "Fix the cart";
  request.prompt.worker.name = "developer";
  request.prompt.board.name = "hosting";
  request.profile = *test::profile_from(profile);
  request.token = "andon_run_0123456789abcdef0123";
  request.url = "http://127.0.0.1:1";
  return request;
}

Launcher a_launcher(test::Scratch const& scratch) {
  auto const data = os::data_directory(scratch.path());
  os::make_directories(data);
  return {data, ANDON_SUPERVISE, {"PATH=/usr/bin:/bin", "HOME=/root", "SECRET=1"}};
}

/// As the server does once it knows which process it is.
void release(Launched& launched) {
  os::write_all(launched.key, "key", "key");
  launched.key.reset();
}

EndRecord wait_for_end(Launched& launched) {
  release(launched);
  pollfd ended{launched.child.handle.get(), POLLIN, 0};
  REQUIRE(::poll(&ended, 1, 30'000) == 1);
  os::reap(launched.child.pid);
  auto const record = sealed_end(RunFiles{launched.run_dir}, 911, "key");
  REQUIRE(record);
  return *record;
}

mode_t mode_of(std::filesystem::path const& path) {
  struct stat about{};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  return about.st_mode & 0777U;
}

}  // namespace

TEST_CASE("Launcher.TheAgentGetsPromptVariablesAndADirectoryOfItsOwn") {
  test::Scratch const scratch;
  auto const launcher = a_launcher(scratch);
  auto launched = launcher.launch(a_launch(
      R"({"schema":1,"id":"mine","argv":["sh","-c","head -n1; pwd; env | grep ^ANDON_ | cut -d= -f1 | sort | tr '\n' ' '; test -z \"$SECRET\" && echo clean; cat \"$NOTE\""],
          "env":{"NOTE":"{run.dir}/notes/a.txt"},"files":[{"path":"notes/a.txt","template":"task {task.id}"}]})"));
  REQUIRE(launched);
  CHECK(launched->run_dir == std::filesystem::absolute(scratch / "work/runs/911"));
  auto const end = wait_for_end(*launched);
  CHECK(end.exit->code == 0);
  CHECK(end.output_tail ==
        "# Your task: #42\n" + (launched->run_dir / "work").native() +
            "\nANDON_BOARD ANDON_EPOCH ANDON_RUN ANDON_RUN_DIR ANDON_SOCKET ANDON_TASK ANDON_TOKEN ANDON_URL "
            "ANDON_WORKER clean\ntask 42\n");
  CHECK(mode_of(launched->run_dir) == 0700);
  CHECK(mode_of(launched->run_dir / "spec.json") == 0600);
  CHECK(mode_of(launched->run_dir / "stdin.txt") == 0600);
  CHECK(launcher.launch(a_launch(R"({"schema":1,"id":"mine","argv":["sh"]})")).error().code ==
        core::Code::kConflict);
}

TEST_CASE("Launcher.AMissingProgramNamesWorkerProfileAndProgram") {
  test::Scratch const scratch;
  auto const launched =
      a_launcher(scratch).launch(a_launch(R"({"schema":1,"id":"mine","argv":["no-such-agent"]})"));
  REQUIRE_FALSE(launched);
  for (auto const* part : {"\"developer\"", "\"mine\"", "\"no-such-agent\""})
    CHECK(launched.error().message.find(part) != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(scratch / "work/runs/911"));
}

TEST_CASE("Launcher.TheRoleGoesWhereTheProfileWantsIt") {
  test::Scratch const scratch;
  auto const launcher = a_launcher(scratch);
  auto request = a_launch(R"({"schema":1,"id":"a","argv":["sh","{file.role}"],"prompt":{"role":"file"}})");
  request.prompt.role_document = "Be careful.";
  auto const as_file = launcher.plan(request);
  REQUIRE(as_file);
  CHECK(as_file->spec.argv[1] == (launcher.run_directory(911) / "role.md").native());
  CHECK(as_file->input.find("Be careful.") == std::string::npos);
  request.profile.prompt.role = RoleVia::prepend;
  auto const in_front = launcher.plan(request);
  REQUIRE(in_front);
  CHECK(in_front->input.starts_with("Be careful.\n"));
  CHECK(in_front->spec.argv[1].empty());
}

TEST_CASE("Launcher.AnAgentThatAsksIsToldOfTheServerOfItsRun") {
  test::Scratch const scratch;
  auto const launcher = a_launcher(scratch);
  auto request = a_launch(R"({"schema":1,"id":"a","argv":["sh",{"if":"file.mcp","then":["{file.mcp}"]}],
      "permissions":{"edit":[],"ask":["--ask"]},
      "mcp":{"kind":"file","pass":false,"pass_at":["ask"],"template":{"url":"{mcp.url}"}}})");
  auto const silent = launcher.plan(request);
  REQUIRE(silent);
  CHECK(silent->spec.argv.size() == 1);
  CHECK(silent->input.contains("andon "));
  request.prompt.worker.permissions = core::Permissions::ask;
  auto const asking = launcher.plan(request);
  REQUIRE(asking);
  auto const file = launcher.run_directory(911) / "mcp.json";
  CHECK(asking->spec.argv == std::vector<std::string>{"sh", file.native(), "--ask"});
  CHECK(asking->files.back().second == "{\"url\":\"http://127.0.0.1:1/mcp\"}\n");
  CHECK(asking->input.contains("The tools of the MCP server"));
}

TEST_CASE("Launcher.TheSupervisorSurvivesAndIsSweptByItsDirectory") {
  test::Scratch const scratch;
  auto launched = a_launcher(scratch).launch(
      a_launch(R"({"schema":1,"id":"a","argv":["sh","-c","while :; do sleep 60; done"]})"));
  REQUIRE(launched);
  CHECK(os::is_alive(launched->supervisor));
  release(*launched);
  CHECK(sweep_run({.run_dir = launched->run_dir, .supervisor = launched->supervisor}).is_empty);
  CHECK_FALSE(os::is_alive(launched->supervisor));
  ::kill(launched->child.pid, SIGKILL);  // a test that fails must not wait for ever
  os::reap(launched->child.pid);
}

TEST_CASE("Launcher.ARunThatCouldNotStartWasNeverStarted") {
  test::Scratch const scratch;
  auto const data = os::data_directory(scratch.path());
  os::make_directories(data);
  Launcher const launcher{data, "/nowhere/andon", {"PATH=/usr/bin:/bin"}};
  auto const request = a_launch(R"({"schema":1,"id":"a","argv":["sh"]})");
  CHECK_THROWS_AS(static_cast<void>(launcher.launch(request)), os::SystemError);
  CHECK_FALSE(std::filesystem::exists(launcher.run_directory(911) / "spec.json"));
}

TEST_CASE("Launcher.NoRepositoryWhereSecretsLieIsADirectoryForAnAgent") {
  test::Scratch const scratch;
  auto const launcher = a_launcher(scratch);
  auto request = a_launch(R"({"schema":1,"id":"a","argv":["sh"]})");
  for (auto const& place : {std::filesystem::path{"/root/.ssh"}, std::filesystem::path{"/root"},
                            scratch.path(), scratch / "work/runs/5/work"}) {
    CAPTURE(place.native());
    request.cwd = place;
    auto const refused = launcher.plan(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().field == "repo");
    CHECK(refused.error().message.find(place.native()) != std::string::npos);
  }
  request.continues_in_run = true;
  CHECK(launcher.plan(request));
  request.continues_in_run = false;
  request.cwd = "/srv/shop";
  CHECK(launcher.plan(request));
}
