#include "service/insight/search.hpp"

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::House;
using test::on;

namespace {

using Ids = std::vector<core::TaskId>;

service::SearchHits hits(House& house, std::string const& q, std::string const& members = {}) {
  auto const request = R"({"q":)" + boost::json::serialize(boost::json::value(q)) + members + "}";
  return reflect::from_json<service::SearchHits>(
             reflect::parse_json(house.answer("search_tasks", request)).value())
      .value();
}
Ids found(House& house, std::string const& q, std::string const& members = {}) {
  Ids out;
  for (auto const& hit : hits(house, q, members).items) out.push_back(hit.task.id);
  return out;
}
core::Error refused(House& house, std::string const& q) {
  return house.error("search_tasks", R"({"q":)" + boost::json::serialize(boost::json::value(q)) + "}");
}

}  // namespace

TEST_CASE("Search.RanksTitlesBeforeBodiesBeforeNotes") {
  House house;
  house.create("Elsewhere");
  house.create("Other", R"("body":"The checkout breaks, checkout, checkout, checkout")");
  house.create("The checkout page with a long title that says a lot about very many other things",
               R"("body":"And a body that goes on and on and on about this and that and everything else")");
  house.task("add_note", on(1, R"("text":"checkout")"));
  CHECK(found(house, "checkout") == Ids{3, 2, 1});
  CHECK(hits(house, "checkout").items[2].snippet == "checkout");
}

TEST_CASE("Search.FindsWordsOfOneTaskWhereverTheyStand") {
  House house;
  house.create("Cart", R"("body":"loses items")");
  house.create("Cart");
  house.task("add_note", on(1, R"("text":"only in Firefox")"));
  CHECK(found(house, "cart firefox") == Ids{1});
  CHECK(found(house, "cart items firefox") == Ids{1});
  CHECK(found(house, "cart -firefox") == Ids{2});
  CHECK(found(house, "\"loses items\"") == Ids{1});
  CHECK(found(house, "\"items loses\"").empty());
  CHECK(found(house, "-cart").empty());
}

TEST_CASE("Search.NarrowsByConditions") {
  House house;
  house.create("One",
               R"("tags":["api"],"status":"todo","priority":"high","assignee":"bob","due":"2020-01-01")");
  house.create("Two", R"("tags":["web"],"class":"expedite","role":"qa","parent":1)");
  house.create("Three", R"("depends_on":[1])");
  house.task("claim_task", on(1, R"("by":"bob")"));
  house.task("block_task", on(2, R"("reason":"waits")"));
  house.create("Four");
  house.task("archive_task", on(4));
  for (auto const& [q, ids] : std::vector<std::pair<std::string, Ids>>{{"status:to-do", {1}},
                                                                       {"status:todo,backlog", {1, 3}},
                                                                       {"stage:ready", {1}},
                                                                       {"tag:api,web", {1, 2}},
                                                                       {"-tag:api", {2, 3}},
                                                                       {"class:EXPEDITE", {2}},
                                                                       {"class:standard", {1, 3}},
                                                                       {"priority:high", {1}},
                                                                       {"assignee:bob", {1}},
                                                                       {"role:qa", {2}},
                                                                       {"board:classic one", {1}},
                                                                       {"claimed_by:bob", {1}},
                                                                       {"parent:1", {2}},
                                                                       {"is:claimed", {1}},
                                                                       {"-is:claimed", {2, 3}},
                                                                       {"is:blocked", {2}},
                                                                       {"is:overdue", {1}},
                                                                       {"is:waiting", {3}},
                                                                       {"is:archived", {4}},
                                                                       {"four", {}},
                                                                       {"is:open -is:blocked", {1, 3}}}) {
    CAPTURE(q);
    CHECK(found(house, q) == ids);
  }
  house.clock.advance(2h);
  CHECK(found(house, "is:claimed").empty());
  CHECK(found(house, "claimed_by:bob").empty());
}

TEST_CASE("Search.RefusalsSayWhatAndWhere") {
  House house;
  for (auto const& [q, code, position] : std::vector<std::tuple<std::string, core::Code, std::int64_t>>{
           {"cart status:tdo", core::Code::kInvalidStatus, 6},
           {"priority:urgent", core::Code::kInvalidPriority, 1},
           {"x class:vip", core::Code::kInvalidClass, 3},
           {"board:nowhere", core::Code::kBoardNotFound, 1},
           {"parent:abc", core::Code::kInvalidTaskId, 1},
           {"colour:red", core::Code::kInvalidInput, 1}}) {
    CAPTURE(q);
    auto const error = refused(house, q);
    CHECK(error.code == code);
    CHECK(error.field == "q");
    REQUIRE_FALSE(error.details.empty());
    CHECK(std::get<std::int64_t>(error.details.front().second) == position);
  }
  CHECK(refused(house, "").code == core::Code::kInvalidInput);
}

TEST_CASE("Search.IsPaged") {
  House house;
  for (int n = 0; n < 5; ++n) house.create("Cart");
  auto const first = hits(house, "cart", R"(,"limit":2)");
  CHECK(first.items.size() == 2);
  Ids all{first.items[0].task.id, first.items[1].task.id};
  auto next = first.next;
  while (!next.empty()) {
    auto const page = hits(house, "cart", R"(,"limit":2,"cursor":")" + next + "\"");
    for (auto const& hit : page.items) all.push_back(hit.task.id);
    next = page.next;
  }
  CHECK(all == Ids{1, 2, 3, 4, 5});
  CHECK(house.refusal("search_tasks", R"({"q":"cart","cursor":"zz"})") == "INVALID_INPUT");
  CHECK(house.refusal("search_tasks", R"({"q":"cart","limit":101})") == "INVALID_INPUT");
}

TEST_CASE("Search.OfARunStaysOnItsBoard") {
  House house;
  house.answer("create_board", R"({"name":"secret"})");
  house.create("Cart", R"("status":"todo")");
  house.create("Cart", R"("board":"secret")");
  house.add_worker("dev", R"("takes_unassigned":true,"boards":["classic"])");
  auto const run = house.start("dev");
  auto const json = house.answer("search_tasks", R"({"q":"cart"})", test::agent(run));
  CHECK(reflect::parse_json(json).value().at("items").as_array().size() == 1);
}
