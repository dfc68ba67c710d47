#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"
#include "cli/commands/machine/runner_findings.hpp"
#include "service/runners/runners.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using test::Cli;

namespace {

template <auto F>
void ask(Cli& cli, typename api::detail::Signature<decltype(F)>::Request request, service::Caller caller) {
  auto const answer = cli.executor().run(api::call_of<F>(std::move(request), std::move(caller)));
  REQUIRE_MESSAGE(answer, (answer ? std::string{} : answer.error().message));
}

service::Caller admin() {
  service::Caller out;
  out.role = service::Role::admin;
  return out;
}

service::Caller runner(std::string name, std::int64_t incarnation) {
  service::Caller out;
  out.actor = {core::ActorKind::runner, std::move(name)};
  out.role = service::Role::runner;
  out.incarnation = incarnation;
  return out;
}

void add(Cli& cli, std::string const& name) {
  service::AddRunnerRequest request;
  request.name = name;
  request.hash = std::string(63, 'a') + (name == "build" ? 'b' : 'c');
  ask<&service::add_runner>(cli, std::move(request), admin());
}

/// A runner that is at work, with an agent that cannot start.
void begin(Cli& cli, std::string const& name) {
  if (name == "build") {
    service::PutWorkerRequest worker;
    worker.name = "ada";
    worker.agent = "claude";
    ask<&service::add_worker>(cli, worker, admin());
  }
  service::RegisterRunnerRequest begun;
  begun.name = name;
  begun.protocol = service::kRunnerProtocol;
  begun.version = "1.0";
  begun.host = "box";
  begun.place = "place";
  begun.slots = 4;
  begun.memory = 8LL << 30U;
  ask<&service::register_runner>(cli, begun, runner(name, 0));
  service::ReportRunnerRequest report;
  report.name = name;
  report.load = 0.5;
  report.memory_free = 2LL << 30U;
  report.agents = std::vector{core::RunnerAgent{"claude", {}, "it is not signed in"}};
  ask<&service::report_runner>(cli, report, runner(name, 1));
}

service::Runners runners_of(Cli& cli) {
  service::Runners out;
  cli.executor().read([&](service::OperationContext& u) { out = service::list_runners(u, {}).value(); });
  return out;
}

std::string findings_of(Cli& cli, std::string_view version) {
  std::string out;
  for (auto const& each : cli::runner_findings(runners_of(cli), version)) out += each.text + "\n";
  return out;
}

}  // namespace

TEST_CASE("RunnersCommand.ListsStatesSlotsAndProblems") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"runners"}).err == "Nothing found.\n");
  add(cli, "build");
  add(cli, "spare");
  begin(cli, "build");
  auto const text = cli({"runners"}).out;
  CHECK(text == cli({"runners", "list"}).out);
  CHECK(
      text.starts_with("NAME    STATE        HOST   SLOTS   VERSION   LOAD   MEMORY           LAST SEEN\n"
                       "build   active       box    0/4     1.0       0.50   2 GiB of 8 GiB   "));
  CHECK(text.contains("\nspare   never seen   --"));
  CHECK(text.ends_with("build: cannot start the agent claude: it is not signed in\n"));
}

TEST_CASE("RunnersCommand.SaysWhoIsGoneAndInOneLineEach") {
  Cli cli;
  cli.with_board();
  add(cli, "build");
  begin(cli, "build");
  CHECK(cli({"runners", "--compact"})
            .out.starts_with("build [active] host:box slots:0/4 version:1.0 load:0.50 "));
  cli.clock.advance(core::kRunnerSilence);
  CHECK(cli({"runners", "--compact"}).out.starts_with("build [gone] host:box slots:0/4 version:1.0 seen:"));
  CHECK(cli({"runners", "--json"}).json().as_array().size() == 1);
}

TEST_CASE("RunnersCommand.PausesAndResumes") {
  Cli cli;
  cli.with_board();
  add(cli, "build");
  begin(cli, "build");
  CHECK(cli({"runners", "pause", "build"}).out == "Runner build is paused; its runs go on\n");
  CHECK(cli({"runners"}).out.contains("build   paused"));
  CHECK(cli({"runners", "resume", "build"}).out == "Runner build takes work again\n");
  auto const log = cli({"log"}).out;
  CHECK(log.contains("runner build registered"));
  CHECK(log.contains("runner build was paused"));
  CHECK(log.contains("runner build was resumed"));
}

TEST_CASE("RunnersCommand.DoctorNamesWhatIsWrong") {
  Cli cli;
  cli.with_board();
  CHECK(findings_of(cli, "1.0").empty());
  add(cli, "build");
  begin(cli, "build");
  CHECK(findings_of(cli, "1.0") ==
        "1 of 1 on other hosts are alive\n"
        "\"build\" cannot start the agent \"claude\": it is not signed in\n");
  CHECK(findings_of(cli, "2.0").contains("\"build\" has version 1.0, this program has 2.0; install 2.0"));
  cli.clock.advance(core::kRunnerSilence);
  CHECK(findings_of(cli, "1.0").contains("\"build\" on host \"box\" was last heard of at "));
  cli({"runners", "revoke", "build", "--yes"});
  CHECK(findings_of(cli, "1.0") == "0 of 1 on other hosts are alive\n");
}
