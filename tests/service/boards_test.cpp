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
