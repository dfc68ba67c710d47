#include "core/tasks/search_query.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

namespace {

Error error(std::string_view text) { return parse_search(text).error(); }

std::int64_t position(std::string_view text) {
  for (auto const& [name, value] : error(text).details)
    if (name == "position") return std::get<std::int64_t>(value);
  return 0;
}
std::string field(std::string_view text) {
  for (auto const& [name, value] : error(text).details)
    if (name == "field") return std::get<std::string>(value);
  return {};
}

}  // namespace

TEST_CASE("SearchQuery.HoldsWordsPhrasesAndConditions") {
  auto const query =
      parse_search(R"(cart "exact words" -flaky -"not this" status:todo,"in progress" -tag:api)");
  REQUIRE(query);
  CHECK(query->words == std::vector<SearchWords>{{"cart", false, false},
                                                 {"exact words", true, false},
                                                 {"flaky", false, true},
                                                 {"not this", true, true}});
  CHECK(query->conditions ==
        std::vector<SearchCondition>{{SearchField::status, {"todo", "in progress"}, false, 39},
                                     {SearchField::tag, {"api"}, true, 65}});
}

TEST_CASE("SearchQuery.TakesAddressesAndTimesInQuotesAsWords") {
  CHECK(parse_search("http://x.example/a").value().words.front().text == "http://x.example/a");
  CHECK(parse_search("\"12:30\"").value().words.front().text == "12:30");
  CHECK(parse_search("claimed-by:ann").value().conditions.front().field == SearchField::claimed_by);
  CHECK(parse_search("multi-word").value().words.front().text == "multi-word");
}

TEST_CASE("SearchQuery.RefusalsNameTheFieldAndThePosition") {
  CHECK(position("über colour:red") == 6);
  CHECK(field("über colour:red") == "colour");
  CHECK(error("x colour:red").field == "q");
  CHECK(error("x colour:red").message.find("there is no search field \"colour\"") == 0);
  CHECK(error("x colour:red").message.find("(at position 3)") != std::string::npos);
  CHECK(position("say \"it") == 5);
  CHECK(position("status:") == 8);
  CHECK(field("tag:api,") == "tag");
  CHECK(field("is:green") == "is");
  CHECK(field("a b stage:middle") == "stage");
  CHECK(position("a b stage:middle") == 5);
  CHECK(position("a - b") == 3);
  CHECK(error("  ").message.find("at least one word") != std::string::npos);
}
