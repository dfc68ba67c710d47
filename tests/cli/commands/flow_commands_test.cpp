#include <doctest/doctest.h>

#include "cli/commands/desk.hpp"

using andon::test::Desk;
using namespace std::chrono_literals;

namespace {

void deliver(Desk& desk, int tasks) {
  for (int n = 0; n < tasks; ++n) {
    auto const id = std::to_string(desk({"create", "Task", "--json"}).json().at("id").as_int64());
    desk({"move", id, "in-progress", "--claim", "ann"});
    desk.clock.advance(2h);
    desk({"move", id, "done", "--claim", "ann"});
  }
}

std::string keys(boost::json::value const& value) {
  std::string out;
  for (auto const& [key, member] : value.as_object()) out += (out.empty() ? "" : " ") + std::string{key};
  return out;
}

}  // namespace

TEST_CASE("Metrics.BeginWithKanbanMdsKeys") {
  Desk desk;
  desk.with_board();
  deliver(desk, 2);
  desk.with_task("Open");
  desk({"move", "3", "todo"});
  desk.clock.advance(25h);
  auto const json = desk({"metrics", "--json"}).json();
  CHECK(
      keys(json).starts_with("throughput_7d throughput_30d avg_lead_time_hours avg_cycle_time_hours "
                             "flow_efficiency aging_items board "));
  CHECK(json.at("throughput_7d") == 2);
  CHECK(json.at("avg_lead_time_hours").to_number<double>() == 2);
  CHECK(keys(json.at("aging_items").at(0)) == "id title status age_hours");
  CHECK(desk({"metrics", "--since", "2027-02-01", "--json"}).json().at("throughput_30d") == 0);
  CHECK(desk({"metrics", "--since", "soon", "--json"}).json().at("code") == "INVALID_DATE");
}

TEST_CASE("Metrics.AreReadable") {
  Desk desk;
  desk.with_board();
  deliver(desk, 1);
  desk.with_task("Open");
  desk({"move", "2", "todo"});
  desk.clock.advance(25h);
  auto const text = desk({"metrics"}).out;
  CAPTURE(text);
  CHECK(text.starts_with("Throughput (7d):  1 task\nThroughput (30d): 1 task\nAvg lead time:    2h 0m\n"));
  CHECK(text.contains("Flow efficiency:  100%\n"));
  CHECK(text.contains("2    todo     1d 1h   Open\n"));
  CHECK(desk({"metrics", "--oneline"}).out ==
        "Throughput: 1/7d 1/30d | Lead: 2h 0m | Cycle: 2h 0m | Efficiency: 100% | WIP: 0\n"
        "Aging: #2 [todo] Open (1d 1h)\n");
}

TEST_CASE("Forecast.IsReadable") {
  Desk desk;
  desk.with_board();
  CHECK(desk({"forecast"}).out.starts_with("No forecast: "));
  for (int day = 0; day < 8; ++day) {
    deliver(desk, 1);
    desk.clock.advance(22h);
  }
  auto const text = desk({"forecast", "--tasks", "3", "--by", "2027-01-25"}).out;
  CAPTURE(text);
  CHECK(text ==
        "3 tasks will be finished\n  with 50%: by 2027-01-26 (3 days)\n  with 85%: by 2027-01-26 (3 days)\n"
        "  with 95%: by 2027-01-26 (3 days)\n"
        "By the end of 2027-01-25 there will be finished\n  with 50%: at least 2 tasks\n"
        "  with 85%: at least 2 tasks\n  with 95%: at least 2 tasks\n"
        "From 8 tasks on 8 days, 10000 trials, seed 1\n");
  CHECK(desk({"forecast", "--seed", "7", "--json"}).json().at("seed") == 7);
}

TEST_CASE("Deps.AreDrawn") {
  Desk desk;
  desk.with_board();
  CHECK(desk({"deps"}).err == "No unfinished task waits for another.\n");
  desk.with_task("Base");
  desk({"create", "Top", "--depends-on", "1"});
  CHECK(desk({"deps"}).out == "#2 [backlog] Top\n└── #1 [backlog] Base\n");
  CHECK(desk({"deps", "1"}).out == desk({"deps"}).out);
  CHECK(desk({"deps", "--format", "dot"}).out.starts_with("digraph tasks {\n"));
  CHECK(desk({"deps", "--format", "mermaid"}).out.contains("  t2 --> t1\n"));
  auto const json = desk({"deps", "--json"}).json();
  CHECK(keys(json) == "nodes edges");
  CHECK(json.at("edges").at(0).at("depends_on") == 1);
  CHECK(desk({"deps", "9"}).code == 1);
  CHECK(desk({"deps", "--format", "png"}).code == 1);
}

TEST_CASE("Search.TakesConditionsAndPages") {
  Desk desk;
  desk.with_board().with_task("Cart one").with_task("Cart two").with_task("Cart three");
  desk({"move", "2", "todo"});
  CHECK(desk({"search", "cart status:todo"}).out == "#2 [todo] Cart two\n    Cart two\n");
  auto const page = desk({"search", "cart", "--limit", "2"});
  CHECK(page.err == "There is more: add --cursor 2\n");
  CHECK(desk({"search", "cart", "--limit", "2", "--cursor", "2", "--oneline"}).out ==
        "#3 [backlog] Cart three\n");
  auto const refused = desk({"search", "cart colour:red", "--json"}).json();
  CHECK(refused.at("details").at("position") == 6);
  CHECK(refused.at("details").at("field") == "colour");
}

TEST_CASE("Lists.AreGroupedOverAllBoards") {
  Desk desk;
  desk.with_board("shop").with_task("One");
  desk({"boards", "create", "ops", "--statuses", "inbox,doing,done"});
  desk({"create", "Two", "--board", "ops"});
  auto const groups = desk({"list", "--group-by", "status", "--json"}).json().at("groups").as_array();
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].at("key") == "backlog");
  CHECK(groups[1].at("key") == "inbox");
  CHECK(keys(groups[1].at("statuses").at(0)) == "status name count blocked overdue");
  CHECK(desk({"board", "--group-by", "status", "--board", "ops", "--json"})
            .json()
            .at("groups")
            .as_array()
            .size() == 1);
  CHECK(desk({"board", "--group-by", "mood", "--json"}).json().at("code") == "INVALID_GROUP_BY");
}
