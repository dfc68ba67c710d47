#include "service/boards/boards.hpp"

#include <doctest/doctest.h>

#include "service/tasks/claim.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

TEST_CASE("Board.TakesTextsThatCanBeShown") {
  TestApp app;
  auto const seq = app.last_seq();
  auto const edit = [&](std::string const& members) {
    return app.refusal("edit_board", R"({"board":"classic",)" + members + "}");
  };
  CHECK(edit(R"("title":")" + std::string(501, 'x') + "\"") == "INVALID_INPUT");
  CHECK(edit(R"("title":"a\nb")") == "INVALID_INPUT");
  CHECK(edit(R"("description":")" + std::string(65'537, 'x') + "\"") == "INVALID_INPUT");
  CHECK(edit(R"("description":"a\u001b[31m")") == "INVALID_INPUT");
  CHECK(edit(R"("repo":"/a\nb")") == "INVALID_INPUT");
  CHECK(edit(R"("review_by":"role:a\u0000b")") == "INVALID_INPUT");
  CHECK(edit(R"("add_columns":[{"name":"next","stage":"ready","title":"a\u202eb"}])") == "INVALID_INPUT");
  CHECK(app.last_seq() == seq);
  app.call<&service::edit_board>(
      {{.title = std::string(500, 'x'), .description = "", .review_by = "role:qa"}, "classic"});
}

TEST_CASE("Board.HasAColumnWhereFinishedWorkGoes") {
  TestApp app;
  auto const without =
      R"("columns":[{"name":"ideas","stage":"backlog"},{"name":"todo","stage":"ready"}],"priorities":["low"]})";
  auto const refused = app.error("create_board", std::string{R"({"name":"endless",)"} + without);
  CHECK(refused.code == core::Code::kInvalidInput);
  CHECK(refused.field == "columns");
  CHECK(app.refusal<&service::edit_board>({{}, "classic", {}, {}, {"done"}}) == "INVALID_INPUT");
}

TEST_CASE("Board.WithARepositoryHasAReviewColumnUnlessAShapeIsChosen") {
  TestApp app;
  auto const stages_of = [&](std::string const& members) {
    static int made = 0;
    auto const board =
        boost::json::parse(app.answer("create_board", R"({"name":"board)" + std::to_string(++made) +
                                                          R"(","repo":"/srv/shop")" + members + "}"));
    std::string stages;
    for (auto const& column : board.as_object().at("columns").as_array())
      stages += std::string{column.as_object().at("stage").as_string()} + " ";
    return stages;
  };
  CHECK(stages_of("") == "backlog ready active review blocked done ");
  CHECK(stages_of(R"(,"template":"classic")") == "backlog ready active blocked done ");
  CHECK(stages_of(R"(,"columns":[{"name":"a","stage":"active"},{"name":"d","stage":"done"}])") ==
        "active done ");
}

TEST_CASE("Board.RunsChecksThatNameAProgram") {
  TestApp app;
  for (auto const* key : {"checks", "sources"})
    for (auto const* argv : {"[]", R"([""])", R"(["make","a\u0000b"])", R"(["a\u0000b"])"}) {
      CAPTURE(key);
      CAPTURE(argv);
      auto const refused = app.error(
          "edit_board", R"({"board":"classic",")" + std::string{key} + R"(":{"unit":)" + argv + "}}");
      CHECK(refused.code == core::Code::kInvalidInput);
      CHECK(refused.field == std::string{key} + "/unit");
    }
  CHECK(app.refusal<&service::edit_board>(
            {{.checks = std::map<std::string, std::vector<std::string>>{{"", {"make"}}}}, "classic"}) ==
        "INVALID_INPUT");
  app.call<&service::edit_board>(
      {{.checks = std::map<std::string, std::vector<std::string>>{{"unit", {"make", ""}}}}, "classic"});
}

TEST_CASE("Board.StaysWhileSomebodyHoldsATaskOfIt") {
  TestApp app;
  app.create("Task", {.status = "todo", .claim = "bob"});
  app.create("Past", {.status = "done"});
  for (auto const& [operation, request] :
       {std::pair{"delete_board", R"({"board":"classic"})"},
        std::pair{"edit_board", R"({"board":"classic","archived":true})"}}) {
    auto const refused = app.error(operation, request);
    CHECK(refused.code == core::Code::kStatusConflict);
    CHECK(refused.message.contains("\"bob\" holds task #1"));
  }
  app.call<&service::release_task>({.id = 1});
  CHECK(app.answer<&service::delete_board>({.board = "classic"}).contains("archived"));
}

TEST_CASE("Board.StaysWhileAgentsWorkOnIt") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  for (auto const& [operation, request] :
       {std::pair{"delete_board", R"({"board":"classic"})"},
        std::pair{"edit_board", R"({"board":"classic","archived":true})"}}) {
    auto const refused = app.error(operation, request);
    CHECK(refused.code == core::Code::kStatusConflict);
    CHECK(refused.message.contains("\"dev\" works on task #1"));
  }
  app.finish(run);
  CHECK(app.answer<&service::delete_board>({.board = "classic"}).contains("archived"));
}
