#include "runner/dispatch/sources.hpp"

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "os/files/file.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/process.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "runner/dispatch/scheduler.hpp"
#include "runner/supervision/survivors.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/tasks.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace std::chrono_literals;

namespace {

/// A board of the administrator's whose planner quotes what commands print.
struct SourcesPlace {
  explicit SourcesPlace(std::map<std::string, std::vector<std::string>> sources) {
    executor.set_workspace_port(workspace_port);
    service::CreateBoardRequest board;
    board.name = "shop";
    board.sources = std::move(sources);
    REQUIRE(client.call<&service::create_board>(board));
  }
  void plan(std::string brief) {
    service::AddAutomationRequest request;
    request.name = "planner";
    request.cron = "0 6 * * *";
    request.template_.title = "Plan the day";
    request.template_.body = std::move(brief);
    REQUIRE(client.call<&service::add_automation>(request));
  }
  std::string brief(std::string id) {
    auto const task = client.call<&service::get_task>(service::TaskRequest{{std::move(id)}});
    REQUIRE(task);
    return task->body;
  }

  test::Scratch scratch;
  test::FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  runner::OperationClient client{executor, "automations"};
  runner::LocalWorkspacePort workspace_port{executor, os::data_directory(scratch.path()),
                                            os::own_environment(), ANDON_SUPERVISE};
};

}  // namespace

TEST_CASE("Sources.AnAutomationQuotesWhatTheCommandPrinted") {
  SourcesPlace place({{"revenue", {"/bin/echo", "42 orders"}}});
  place.plan("Yesterday: {{source.revenue}}\nErrors: {{source.errors}}");
  place.clock.advance(24h);
  runner::Scheduler{place.client}.step(place.clock.now());
  CHECK(place.brief("1") ==
        "Yesterday: 42 orders\n\nErrors: (the board has no source \"errors\" that could be asked)");
}

TEST_CASE("Sources.AreAskedTooWhenAPersonRunsTheAutomation") {
  SourcesPlace place({{"revenue", {"/bin/echo", "42 orders"}}});
  place.plan("{{source.revenue}}");
  REQUIRE(place.client.call<&service::run_automation>(service::FireRequest{{"planner"}, {}}));
  CHECK(place.brief("1") == "42 orders\n");
}

TEST_CASE("Sources.ACallerCannotBringTheTextItself") {
  SourcesPlace place({{"revenue", {"/bin/echo", "42 orders"}}});
  auto const* operation = api::find_operation("run_automation");
  auto const request = reflect::parse_json(R"({"id":"planner","sources":{"revenue":"a lie"}})", {8, 1000});
  REQUIRE(request);
  auto const decoded = api::decode(*operation, *request);
  REQUIRE_FALSE(decoded);
  CHECK(decoded.error().code == core::Code::kUnknownField);
}

TEST_CASE("Sources.OneThatFailsSaysSoAndTheOthersStand") {
  test::Scratch scratch;
  auto const own = os::own_environment();
  service::SourceQuestion question;
  question.commands = {{"bad", {"/bin/sh", "-c", "echo no key; exit 3"}}, {"good", {"/bin/echo", "7"}}};
  auto const texts = runner::run_sources(question, {scratch.path(), own, ANDON_SUPERVISE});
  CHECK(texts.at("bad") == "no key\n\n(the source failed)");
  CHECK(texts.at("good") == "7\n");
}

TEST_CASE("Sources.KeepTheLastEightKibibytes") {
  test::Scratch scratch;
  auto const own = os::own_environment();
  service::SourceQuestion question;
  question.commands = {{"log", {"/bin/sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x; echo the end"}}};
  auto const text = runner::run_sources(question, {scratch.path(), own, ANDON_SUPERVISE}).at("log");
  CHECK(text.size() == 8192);
  CHECK(text.ends_with("the end\n"));
}

TEST_CASE("Sources.InARepositoryReadItAndNothingElse") {
  test::Scratch scratch;
  test::Survivors const survivors;
  auto const repo = scratch / "repo";
  os::make_private_directory(repo);
  os::write_file(repo / "report.sh", survivors.script() + "cat notes ../data/token; echo x >made");
  os::write_file(repo / "notes", "42 orders\n");
  auto const data = scratch / "data";
  os::make_private_directory(data);
  os::write_file(data / "token", "the token");
  auto const own = os::own_environment();
  service::SourceQuestion question;
  question.repo = repo;
  question.commands = {{"report", {"/bin/sh", "report.sh"}}};
  auto const text = runner::run_sources(question, {data, own, ANDON_SUPERVISE}).at("report");
  CHECK(text.find("42 orders") != std::string::npos);
  CHECK(survivors.count() == 0);
  if (os::confinement_version() == 0) return;
  CHECK(text.find("the token") == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(repo / "made"));
}
