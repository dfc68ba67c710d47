#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::TestApp;

namespace {

std::size_t tasks(TestApp& app) { return app.snapshot().tasks.size(); }

/// Completes the task as a client does that sends an idempotency key with every try.
core::Result<api::Answer> complete_under_key(TestApp& app, core::TaskId id, std::string const& key) {
  auto call = api::call_of<&service::complete_task>({.id = id, .result = "made it"}, test::ann());
  call.idempotency_key = key;
  return app.executor.run(std::move(call));
}

}  // namespace

TEST_CASE("Chain.FillsInEverythingOfTheParent") {
  TestApp app("queue");
  app.call<&service::edit_board>({{.prefix = "WQ"}, "queue"});
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Cart", {.status = "ready",
                      .next_tasks = {{.title = "Check {{parent.key}}",
                                      .body = "{{parent.id}}|{{parent.key}}|{{parent.title}}|{{parent.result}"
                                              "}|{{parent.branch}}|{{parent.commits}}"}}});
  auto const run = app.start("dev");
  app.finish(run,
             {.result = "works", .exit = {.code = 0}, .branch = "andon/1-cart", .commits = {"a1", "b2"}});
  app.call<&service::accept_task>({.id = 1});
  CHECK(app.get(2).title == "Check WQ-1");
  CHECK(app.get(2).body == "1|WQ-1|Cart|works|andon/1-cart|a1 b2");
}

TEST_CASE("Chain.FiresOnceHoweverOftenAndByWhateverWayTheParentIsDone") {
  TestApp app;
  app.create("Cart", {.status = "in_progress", .next_tasks = {{.title = "Next"}}});
  auto const first = complete_under_key(app, 1, "k1");
  REQUIRE(first);
  CHECK(complete_under_key(app, 1, "k1").value().text() == first->text());
  CHECK(complete_under_key(app, 1, "k2"));
  app.call<&service::complete_task>({.id = 1});
  app.move(1, "todo");
  app.move(1, "done");
  app.call<&service::archive_task>({.id = 1});
  app.move(1, "in_progress");
  app.call<&service::complete_task>({.id = 1});
  CHECK(tasks(app) == 2);
}

TEST_CASE("Chain.ARefusedCompletionMakesNothing") {
  TestApp app;
  app.create("Cart", {.status = "in_progress", .next_tasks = {{.title = "Next"}}, .claim = "bob"});
  CHECK(app.refusal<&service::complete_task>({.id = 1, .claim = "eve"}) == "TASK_CLAIMED");
  CHECK(app.refusal<&service::complete_task>({.id = 1, .epoch = 7}) == "STALE_CLAIM");
  CHECK(tasks(app) == 1);
}

TEST_CASE("Chain.GoesWhereItsTemplateSays") {
  TestApp app;
  app.create(
      "Cart",
      {.status = "in_progress",
       .next_tasks = {
           {.title = "A", .status = "Back Log"},
           {.title = "B", .assignee = "bob", .priority = "critical", .class_ = "expedite", .review = "none"},
           {.title = "C", .status = "blocked"}}});
  app.call<&service::complete_task>({.id = 1});
  CHECK(app.get(2).status == "backlog");
  auto const b = app.get(3);
  CHECK(b.stage == Stage::ready);
  CHECK(b.priority == "critical");
  CHECK(b.class_ == "expedite");
  CHECK(b.assignee == "bob");
  CHECK(b.review == core::ReviewRule::none);
  CHECK(app.get(4).blocked);
  for (int id = 2; id <= 4; ++id) CHECK(app.get(core::TaskId{id}).parent == 1);
}

TEST_CASE("Chain.ThatCannotBeIsRefusedNamingThePlace") {
  TestApp app;
  app.create("Task", {.status = "in_progress"});
  struct Row {
    std::string_view chain, code, field;
  };
  for (auto const& row : {Row{R"([{"title":"A"},{"title":"\n"}])", "INVALID_INPUT", "next_tasks/1/title"},
                          Row{R"([{"title":"A","status":"x"}])", "INVALID_STATUS", "next_tasks/0/status"},
                          Row{R"([{"title":"A","next_tasks":[{"title":"B","priority":"x"}]}])",
                              "INVALID_PRIORITY", "next_tasks/0/next_tasks/0/priority"},
                          Row{R"([{"title":"A","class":"x"}])", "INVALID_CLASS", "next_tasks/0/class"},
                          Row{R"([{"title":"A","review":"x"}])", "INVALID_INPUT", "next_tasks/0/review"},
                          Row{R"([{"title":"A","body":"\u0000"}])", "INVALID_INPUT", "next_tasks/0/body"}}) {
    CAPTURE(row.chain);
    auto const next = R"(,"next_tasks":)" + std::string{row.chain} + "}";
    for (auto const& error : {app.error_of_json<&service::create_task>(R"({"title":"T")" + next),
                              app.error_of_json<&service::edit_task>(R"({"id":1)" + next)}) {
      CHECK(core::row(error.code).name == row.code);
      CHECK(error.field == row.field);
    }
  }
  CHECK(
      app.error<&service::edit_board>(
             {{.chains = std::vector<core::ChainRule>{{.role = "a", .next = {.title = "B", .status = "x"}}}},
              "classic"})
          .field == "chains/0/next/status");
}

TEST_CASE("Chain.IsBoundedInDepthAndNumber") {
  TestApp app;
  using Chain = std::vector<core::NextTask>;
  auto const nested = [](int depth) {
    Chain chain{{.title = "Last"}};
    for (int i = 1; i < depth; ++i) chain = Chain{{.title = "Link", .next_tasks = chain}};
    return chain;
  };
  app.create("T", {.next_tasks = nested(5)});
  CHECK(app.error<&service::create_task>({.title = "T", .next_tasks = nested(6)}).message ==
        "a chain may be at most 5 tasks deep");
  Chain const many(20, {.title = "A"});
  app.create("T", {.next_tasks = many});
  Chain const too_many(21, {.title = "A"});
  CHECK(app.refusal<&service::create_task>({.title = "T", .next_tasks = too_many}) == "INVALID_INPUT");
  Chain const wide(5, {.title = "A", .next_tasks = many});
  CHECK(app.error<&service::create_task>({.title = "T", .next_tasks = wide}).message ==
        "a chain may have at most 100 tasks in all");
}

TEST_CASE("Chain.HostileResultsStayTextOfBoundedSize") {
  TestApp app;
  std::string body;
  for (int i = 0; i < 3'000; ++i) body += "{{parent.result}}";
  app.create("Cart",
             {.status = "in_progress",
              .next_tasks = {{.title = "See {{parent.result}}", .body = body},
                             {.title = "{{parent.title}} {{parent.nothing}}", .body = "{{parent.result}}"}}});
  std::string const hostile = "{{parent.id}} }}{{parent.result}}\n\u202e\a" + std::string(60'000, 'x');
  app.call<&service::complete_task>({.id = 1, .result = hostile});
  CHECK(app.get(2).title == "See {{parent.result}}");
  CHECK(app.get(2).body.size() <= body.size() + 131'072);
  CHECK(app.get(3).title == "Cart {{parent.nothing}}");
  CHECK(app.get(3).body.starts_with("{{parent.id}} }}{{parent.result}}\n"));
}

TEST_CASE("Chain.OnABoardThatWantsBriefsWaitsForOne") {
  TestApp app("queue");
  app.call<&service::edit_board>({{.require_brief = true}, "queue"});
  app.create("Cart", {.body = "x",
                      .status = "ready",
                      .next_tasks = {{.title = "A"}, {.title = "B", .body = "y"}},
                      .review = core::ReviewRule::none});
  app.call<&service::pick_task>({.by = "bob"});
  app.call<&service::start_task>({.id = 1, .claim = "bob"});
  app.call<&service::complete_task>({.id = 1, .claim = "bob"});
  CHECK(app.get(2).stage == Stage::backlog);
  CHECK(app.get(3).stage == Stage::ready);
}
