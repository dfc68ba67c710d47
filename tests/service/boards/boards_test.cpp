#include "service/boards/boards.hpp"

#include <doctest/doctest.h>

#include "service/tasks/claim.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

TEST_CASE("Board.TakesTextsThatCanBeShown") {
  TestApp app;
  auto const seq = app.last_seq();
  auto const edit = [&](service::BoardPolicies const& policies) {
    return app.refusal<&service::edit_board>({policies, "classic"});
  };
  CHECK(edit({.title = std::string(501, 'x')}) == "INVALID_INPUT");
  CHECK(edit({.title = "a\nb"}) == "INVALID_INPUT");
  CHECK(edit({.description = std::string(65'537, 'x')}) == "INVALID_INPUT");
  CHECK(edit({.description = "a\x1b[31m"}) == "INVALID_INPUT");
  CHECK(edit({.repo = "/a\nb"}) == "INVALID_INPUT");
  for (auto const& text : {std::string{"role:a\0b", 8}, std::string{"role:"}, std::string{"anybody"}})
    CHECK(edit({.review_by = core::parse_review_by(text)}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::edit_board>(test::board_edit("classic", [](auto& request) {
    request.add_columns = {{.name = "next", .title = "a\u202eb", .stage = core::Stage::ready}};
  })) == "INVALID_INPUT");
  CHECK(app.last_seq() == seq);
  app.call<&service::edit_board>({{.title = std::string(500, 'x'),
                                   .description = "",
                                   .review_by = core::ReviewBy{core::Reviewer::role, "qa"}},
                                  "classic"});
}

TEST_CASE("Board.SaysWhoMayGiveItsVerdicts") {
  TestApp app;
  for (auto const* text : {"", "anybody", "role:", "Person"}) {
    CAPTURE(text);
    auto const error = app.error_of_json<&service::edit_board>(R"({"board":"classic","review_by":")" +
                                                               std::string{text} + R"("})");
    CHECK(error.code == core::Code::kInvalidInput);
    CHECK(error.field == "review_by");
    CHECK(error.message == "\"review_by\" must be person, checks or role:NAME");
  }
  auto const error = app.error_of_json<&service::edit_board>(R"({"board":"classic","review_by":1})");
  CHECK(error.message == "\"review_by\" must be a text, not a number");
}

TEST_CASE("Board.HasAColumnWhereFinishedWorkGoes") {
  TestApp app;
  std::vector<core::Column> const without{{.name = "ideas", .stage = core::Stage::backlog},
                                          {.name = "todo", .stage = core::Stage::ready}};
  auto const refused = app.error<&service::create_board>(
      {{.columns = without, .priorities = std::vector<std::string>{"low"}}, "endless"});
  CHECK(refused.code == core::Code::kInvalidInput);
  CHECK(refused.field == "columns");
  CHECK(app.refusal<&service::edit_board>(test::board_edit(
            "classic", [](auto& edit) { edit.remove_columns = {"done"}; })) == "INVALID_INPUT");
}

TEST_CASE("Board.WithARepositoryHasAReviewColumnUnlessAShapeIsChosen") {
  TestApp app;
  auto const stages_of = [&](service::CreateBoardRequest request) {
    static int made = 0;
    request.name = "board" + std::to_string(++made);
    request.repo = "/srv/shop";
    std::string stages;
    for (auto const& column : app.call<&service::create_board>(request).columns)
      stages += std::string{core::to_text(column.stage)} + " ";
    return stages;
  };
  CHECK(stages_of({}) == "backlog ready active review blocked done ");
  CHECK(stages_of({{}, {}, "classic"}) == "backlog ready active blocked done ");
  std::vector<core::Column> const columns{{.name = "a", .stage = core::Stage::active},
                                          {.name = "d", .stage = core::Stage::done}};
  CHECK(stages_of({{.columns = columns}}) == "active done ");
}

TEST_CASE("Board.RunsChecksThatNameAProgram") {
  TestApp app;
  using Argv = std::vector<std::string>;
  std::string const nul{"a\0b", 3};
  for (auto const& argv : {Argv{}, Argv{""}, Argv{"make", nul}, Argv{nul}}) {
    CAPTURE(reflect::to_json(argv));
    std::map<std::string, Argv> const commands{{"unit", argv}};
    auto const check = app.error<&service::edit_board>({{.checks = commands}, "classic"});
    CHECK(check.code == core::Code::kInvalidInput);
    CHECK(check.field == "checks/unit");
    auto const source = app.error<&service::edit_board>({{.sources = commands}, "classic"});
    CHECK(source.code == core::Code::kInvalidInput);
    CHECK(source.field == "sources/unit");
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
  for (auto const& refused : {app.error<&service::delete_board>({.board = "classic"}),
                              app.error<&service::edit_board>(
                                  test::board_edit("classic", [](auto& edit) { edit.archived = true; }))}) {
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
  for (auto const& refused : {app.error<&service::delete_board>({.board = "classic"}),
                              app.error<&service::edit_board>(
                                  test::board_edit("classic", [](auto& edit) { edit.archived = true; }))}) {
    CHECK(refused.code == core::Code::kStatusConflict);
    CHECK(refused.message.contains("\"dev\" works on task #1"));
  }
  app.finish(run);
  CHECK(app.answer<&service::delete_board>({.board = "classic"}).contains("archived"));
}

TEST_CASE("Board.NamesBranchFolderPrefixAndFiltersOfItsRepository") {
  TestApp app;
  auto board = app.call<&service::edit_board>({{.repo = "/srv/shop",
                                                .branch = "develop",
                                                .branch_prefix = "team/agents",
                                                .folder = "packages/app",
                                                .filters = std::vector<std::string>{"lfs"}},
                                               "classic"});
  CHECK(board.branch == "develop");
  CHECK(board.branch_prefix == "team/agents");
  CHECK(board.folder == "packages/app");
  CHECK(board.filters == std::vector<std::string>{"lfs"});

  board = app.call<&service::edit_board>({{.repo = "/srv/other"}, "classic"});
  CHECK(board.branch == "develop");
  CHECK(board.folder == "packages/app");

  board = app.call<&service::edit_board>(
      {{.branch = "", .folder = "", .filters = std::vector<std::string>{}}, "classic"});
  CHECK(board.branch == "");
  CHECK(board.folder == "");
  CHECK(board.filters.empty());
  CHECK(app.call<&service::create_board>({{}, "new"}).branch_prefix == "andon");
}

TEST_CASE("Board.RefusesPartsOfARepositoryThatCannotBe") {
  TestApp app;
  auto const seq = app.last_seq();
  auto const field_of = [&](service::BoardPolicies const& policies) {
    auto const error = app.error<&service::edit_board>({policies, "classic"});
    CHECK(error.code == core::Code::kInvalidInput);
    return error.field;
  };
  CHECK(field_of({.branch = "refs/heads/main"}) == "branch");
  CHECK(field_of({.branch_prefix = ""}) == "branch_prefix");
  CHECK(field_of({.branch = "andon"}) == "branch_prefix");
  CHECK(field_of({.folder = "../shop"}) == "folder");
  CHECK(field_of({.filters = std::vector<std::string>{"a b"}}) == "filters");
  CHECK(app.last_seq() == seq);
}

TEST_CASE("Board.AnswersWithTheRemarksOnItsRepositoryAndKeepsNone") {
  TestApp app;
  service::BoardPolicies policies;
  policies.repo = "/srv/shop";
  policies.remarks = {"work lands on main; develop is checked out"};
  CHECK(app.call<&service::edit_board>({policies, "classic"}).warnings == policies.remarks);
  CHECK(app.call<&service::get_board>({"classic"}).warnings.empty());
}
