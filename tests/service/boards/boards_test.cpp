#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using test::House;

TEST_CASE("Board.TakesTextsThatCanBeShown") {
  House house;
  auto const seq = house.last_seq();
  auto const edit = [&](std::string const& members) {
    return house.refusal("edit_board", R"({"board":"classic",)" + members + "}");
  };
  CHECK(edit(R"("title":")" + std::string(501, 'x') + "\"") == "INVALID_INPUT");
  CHECK(edit(R"("title":"a\nb")") == "INVALID_INPUT");
  CHECK(edit(R"("description":")" + std::string(65'537, 'x') + "\"") == "INVALID_INPUT");
  CHECK(edit(R"("description":"a\u001b[31m")") == "INVALID_INPUT");
  CHECK(edit(R"("repo":"/a\nb")") == "INVALID_INPUT");
  CHECK(edit(R"("review_by":"role:a\u0000b")") == "INVALID_INPUT");
  CHECK(edit(R"("add_columns":[{"name":"next","stage":"ready","title":"a\u202eb"}])") == "INVALID_INPUT");
  CHECK(house.last_seq() == seq);
  house.answer("edit_board", R"({"board":"classic","title":")" + std::string(500, 'x') +
                                 R"(","description":"","review_by":"role:qa"})");
}

TEST_CASE("Board.HasAColumnWhereFinishedWorkGoes") {
  House house;
  auto const without =
      R"("columns":[{"name":"ideas","stage":"backlog"},{"name":"todo","stage":"ready"}],"priorities":["low"]})";
  auto const refused = house.error("create_board", std::string{R"({"name":"endless",)"} + without);
  CHECK(refused.code == core::Code::kInvalidInput);
  CHECK(refused.field == "columns");
  CHECK(house.refusal("edit_board", R"({"board":"classic","remove_columns":["done"]})") == "INVALID_INPUT");
}

TEST_CASE("Board.RunsChecksThatNameAProgram") {
  House house;
  for (auto const* key : {"checks", "sources"})
    for (auto const* argv : {"[]", R"([""])", R"(["make","a\u0000b"])", R"(["a\u0000b"])"}) {
      CAPTURE(key);
      CAPTURE(argv);
      auto const refused = house.error(
          "edit_board", R"({"board":"classic",")" + std::string{key} + R"(":{"unit":)" + argv + "}}");
      CHECK(refused.code == core::Code::kInvalidInput);
      CHECK(refused.field == std::string{key} + "/unit");
    }
  CHECK(house.refusal("edit_board", R"({"board":"classic","checks":{"":["make"]}})") == "INVALID_INPUT");
  house.answer("edit_board", R"({"board":"classic","checks":{"unit":["make",""]}})");
}

TEST_CASE("Board.StaysWhileAgentsWorkOnIt") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Task", R"("status":"todo")");
  auto const run = house.start("dev");
  for (auto const& [operation, request] :
       {std::pair{"delete_board", R"({"board":"classic"})"},
        std::pair{"edit_board", R"({"board":"classic","archived":true})"}}) {
    auto const refused = house.error(operation, request);
    CHECK(refused.code == core::Code::kStatusConflict);
    CHECK(refused.message.contains("\"dev\" works on task #1"));
  }
  house.finish(run);
  CHECK(house.answer("delete_board", R"({"board":"classic"})").contains("archived"));
}
