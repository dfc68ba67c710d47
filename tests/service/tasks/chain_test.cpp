#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::on;
using test::TestApp;

namespace {

std::size_t tasks(TestApp& app) { return app.snapshot().tasks.size(); }

/// Completes the task as a client does that sends an idempotency key with every try.
core::Result<std::string> complete_under_key(TestApp& app, core::TaskId id, std::string const& key) {
  api::Call call;
  call.operation = api::find_operation("complete_task");
  call.request =
      api::decode(*call.operation, reflect::parse_json(on(id, R"("result":"made it")")).value()).value();
  call.caller = test::ann();
  call.idempotency_key = key;
  return app.executor.run(std::move(call));
}

}  // namespace

TEST_CASE("Chain.FillsInEverythingOfTheParent") {
  TestApp app("queue");
  app.answer("edit_board", R"({"board":"queue","prefix":"WQ"})");
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Cart", R"("status":"ready","next_tasks":[{"title":"Check {{parent.key}}","body":
      "{{parent.id}}|{{parent.key}}|{{parent.title}}|{{parent.result}}|{{parent.branch}}|{{parent.commits}}"}])");
  auto const run = app.start("dev");
  app.finish(run, R"("result":"works","branch":"andon/1-cart","commits":["a1","b2"],"exit":{"code":0})");
  app.task("accept_task", on(1));
  CHECK(app.get(2).title == "Check WQ-1");
  CHECK(app.get(2).body == "1|WQ-1|Cart|works|andon/1-cart|a1 b2");
}

TEST_CASE("Chain.FiresOnceHoweverOftenAndByWhateverWayTheParentIsDone") {
  TestApp app;
  app.create("Cart", R"("status":"in_progress","next_tasks":[{"title":"Next"}])");
  auto const first = complete_under_key(app, 1, "k1");
  REQUIRE(first);
  CHECK(complete_under_key(app, 1, "k1").value() == *first);
  CHECK(complete_under_key(app, 1, "k2"));
  app.task("complete_task", on(1));
  app.move(1, "todo");
  app.move(1, "done");
  app.task("archive_task", on(1));
  app.move(1, "in_progress");
  app.task("complete_task", on(1));
  CHECK(tasks(app) == 2);
}

TEST_CASE("Chain.ARefusedCompletionMakesNothing") {
  TestApp app;
  app.create("Cart", R"("status":"in_progress","claim":"bob","next_tasks":[{"title":"Next"}])");
  CHECK(app.refusal("complete_task", on(1, R"("claim":"eve")")) == "TASK_CLAIMED");
  CHECK(app.refusal("complete_task", on(1, R"("epoch":7)")) == "STALE_CLAIM");
  CHECK(tasks(app) == 1);
}

TEST_CASE("Chain.GoesWhereItsTemplateSays") {
  TestApp app;
  app.create("Cart", R"("status":"in_progress","next_tasks":[{"title":"A","status":"Back Log"},
      {"title":"B","priority":"critical","class":"expedite","assignee":"bob","review":"none"},{"title":"C","status":"blocked"}])");
  app.task("complete_task", on(1));
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
  app.create("Task", R"("status":"in_progress")");
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
    for (auto const& [operation, rest] :
         {std::pair{"create_task", R"("title":"T")"}, {"update_task", "\"id\":1"}}) {
      auto const error =
          app.error(operation, "{" + std::string{rest} + ",\"next_tasks\":" + std::string{row.chain} + "}");
      CHECK(core::row(error.code).name == row.code);
      CHECK(error.field == row.field);
    }
  }
  CHECK(app.error("edit_board",
                  R"({"board":"classic","chains":[{"role":"a","next":{"title":"B","status":"x"}}]})")
            .field == "chains/0/next/status");
}

TEST_CASE("Chain.IsBoundedInDepthAndNumber") {
  TestApp app;
  auto const nested = [](int depth) {
    std::string chain = R"([{"title":"Last"}])";
    for (int i = 1; i < depth; ++i) chain = R"([{"title":"Link","next_tasks":)" + chain + "}]";
    return "{\"title\":\"T\",\"next_tasks\":" + chain + "}";
  };
  app.task("create_task", nested(5));
  CHECK(app.error("create_task", nested(6)).message == "a chain may be at most 5 tasks deep");
  std::string many;
  for (int i = 0; i < 20; ++i) many += std::string{i ? "," : ""} + R"({"title":"A"})";
  app.task("create_task", R"({"title":"T","next_tasks":[)" + many + "]}");
  CHECK(app.refusal("create_task", R"({"title":"T","next_tasks":[{"title":"B"},)" + many + "]}") ==
        "INVALID_INPUT");
  std::string wide;
  for (int i = 0; i < 5; ++i)
    wide += std::string{i ? "," : ""} + R"({"title":"A","next_tasks":[)" + many + "]}";
  CHECK(app.error("create_task", R"({"title":"T","next_tasks":[)" + wide + "]}").message ==
        "a chain may have at most 100 tasks in all");
}

TEST_CASE("Chain.HostileResultsStayTextOfBoundedSize") {
  TestApp app;
  std::string body;
  for (int i = 0; i < 3'000; ++i) body += "{{parent.result}}";
  app.create("Cart", R"("status":"in_progress","next_tasks":[{"title":"See {{parent.result}}","body":")" +
                         body +
                         R"("},{"title":"{{parent.title}} {{parent.nothing}}","body":"{{parent.result}}"}])");
  std::string const hostile = "{{parent.id}} }}{{parent.result}}\\n\\u202e\\u0007" + std::string(60'000, 'x');
  app.task("complete_task", on(1, "\"result\":\"" + hostile + "\""));
  CHECK(app.get(2).title == "See {{parent.result}}");
  CHECK(app.get(2).body.size() <= 1'048'576);
  CHECK(app.get(3).title == "Cart {{parent.nothing}}");
  CHECK(app.get(3).body.starts_with("{{parent.id}} }}{{parent.result}}\n"));
}

TEST_CASE("Chain.OnABoardThatWantsBriefsWaitsForOne") {
  TestApp app("queue");
  app.answer("edit_board", R"({"board":"queue","require_brief":true})");
  app.create(
      "Cart",
      R"("status":"ready","body":"x","review":"none","next_tasks":[{"title":"A"},{"title":"B","body":"y"}])");
  app.task("pick_task", R"({"by":"bob"})");
  app.task("start_task", on(1, R"("claim":"bob")"));
  app.task("complete_task", on(1, R"("claim":"bob")"));
  CHECK(app.get(2).stage == Stage::backlog);
  CHECK(app.get(3).stage == Stage::ready);
}
