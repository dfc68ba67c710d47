#include "service/insight/search.hpp"

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

using Ids = std::vector<core::TaskId>;

service::SearchHits hits(TestApp& app, std::string const& q, service::SearchRequest request = {}) {
  request.q = q;
  return app.call<&service::search_tasks>(request);
}
Ids found(TestApp& app, std::string const& q, service::SearchRequest const& request = {}) {
  Ids out;
  for (auto const& hit : hits(app, q, request).items) out.push_back(hit.task.id);
  return out;
}
core::Error refused(TestApp& app, std::string const& q) {
  return app.error<&service::search_tasks>({.q = q});
}

}  // namespace

TEST_CASE("Search.RanksTitlesBeforeBodiesBeforeNotes") {
  TestApp app;
  app.create("Elsewhere");
  app.create("Other", {.body = "The checkout breaks, checkout, checkout, checkout"});
  app.create("The checkout page with a long title that says a lot about very many other things",
             {.body = "And a body that goes on and on and on about this and that and everything else"});
  app.call<&service::note_task>({.id = 1, .text = "checkout"});
  CHECK(found(app, "checkout") == Ids{3, 2, 1});
  CHECK(hits(app, "checkout").items[2].snippet == "checkout");
}

TEST_CASE("Search.FindsWordsOfOneTaskWhereverTheyStand") {
  TestApp app;
  app.create("Cart", {.body = "loses items"});
  app.create("Cart");
  app.call<&service::note_task>({.id = 1, .text = "only in Firefox"});
  CHECK(found(app, "cart firefox") == Ids{1});
  CHECK(found(app, "cart items firefox") == Ids{1});
  CHECK(found(app, "cart -firefox") == Ids{2});
  CHECK(found(app, "\"loses items\"") == Ids{1});
  CHECK(found(app, "\"items loses\"").empty());
  CHECK(found(app, "-cart").empty());
}

TEST_CASE("Search.NarrowsByConditions") {
  TestApp app;
  app.create("One", {.status = "todo",
                     .priority = service::PriorityName{"high"},
                     .assignee = "bob",
                     .tags = {"api"},
                     .due = core::parse_date("2020-01-01")});
  app.create("Two", {.role = "qa", .tags = {"web"}, .parent = 1, .class_ = "expedite"});
  app.create("Three", {.depends_on = {1}});
  app.call<&service::claim_task>({.id = 1, .by = "bob"});
  app.call<&service::block_task>({.id = 2, .reason = "waits"});
  app.create("Four");
  app.call<&service::archive_task>({.id = 4});
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
    CHECK(found(app, q) == ids);
  }
  app.clock.advance(2h);
  CHECK(found(app, "is:claimed").empty());
  CHECK(found(app, "claimed_by:bob").empty());
}

TEST_CASE("Search.RefusalsSayWhatAndWhere") {
  TestApp app;
  for (auto const& [q, code, position] : std::vector<std::tuple<std::string, core::Code, std::int64_t>>{
           {"cart status:tdo", core::Code::kInvalidStatus, 6},
           {"priority:urgent", core::Code::kInvalidPriority, 1},
           {"x class:vip", core::Code::kInvalidClass, 3},
           {"board:nowhere", core::Code::kBoardNotFound, 1},
           {"parent:abc", core::Code::kInvalidTaskId, 1},
           {"colour:red", core::Code::kInvalidInput, 1}}) {
    CAPTURE(q);
    auto const error = refused(app, q);
    CHECK(error.code == code);
    CHECK(error.field == "q");
    REQUIRE_FALSE(error.details.empty());
    CHECK(std::get<std::int64_t>(error.details.front().second) == position);
  }
  CHECK(refused(app, "").code == core::Code::kInvalidInput);
}

TEST_CASE("Search.IsPaged") {
  TestApp app;
  for (int n = 0; n < 5; ++n) app.create("Cart");
  auto const first = hits(app, "cart", {.limit = 2});
  CHECK(first.items.size() == 2);
  Ids all{first.items[0].task.id, first.items[1].task.id};
  auto next = first.next;
  while (!next.empty()) {
    auto const page = hits(app, "cart", {.limit = 2, .cursor = next});
    for (auto const& hit : page.items) all.push_back(hit.task.id);
    next = page.next;
  }
  CHECK(all == Ids{1, 2, 3, 4, 5});
  CHECK(app.refusal<&service::search_tasks>({.q = "cart", .cursor = "zz"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::search_tasks>({.q = "cart", .limit = 101}) == "INVALID_INPUT");
}

TEST_CASE("Search.OfARunStaysOnItsBoard") {
  TestApp app;
  app.call<&service::create_board>({{}, "secret"});
  app.create("Cart", {.status = "todo"});
  app.create("Cart", {.board = "secret"});
  app.add_worker("dev", {.takes_unassigned = true, .boards = std::vector<std::string>{"classic"}});
  auto const run = app.start("dev");
  auto const json = app.answer<&service::search_tasks>({.q = "cart"}, test::agent(run));
  CHECK(reflect::parse_json(json).value().at("items").as_array().size() == 1);
}
