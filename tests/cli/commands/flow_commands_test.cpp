#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;
using namespace std::chrono_literals;

namespace {

void deliver(Cli& cli, int tasks) {
  for (int n = 0; n < tasks; ++n) {
    auto const id = std::to_string(cli({"create", "Task", "--json"}).json().at("id").as_int64());
    cli({"move", id, "in-progress", "--claim", "ann"});
    cli.clock.advance(2h);
    cli({"move", id, "done", "--claim", "ann"});
  }
}

std::string keys(boost::json::value const& value) {
  std::string out;
  for (auto const& [key, member] : value.as_object()) out += (out.empty() ? "" : " ") + std::string{key};
  return out;
}

}  // namespace

TEST_CASE("Metrics.BeginWithKanbanMdsKeys") {
  Cli cli;
  cli.with_board();
  deliver(cli, 2);
  cli.with_task("Open");
  cli({"move", "3", "todo"});
  cli.clock.advance(25h);
  auto const json = cli({"metrics", "--json"}).json();
  CHECK(
      keys(json).starts_with("throughput_7d throughput_30d avg_lead_time_hours avg_cycle_time_hours "
                             "flow_efficiency aging_items board "));
  CHECK(json.at("throughput_7d") == 2);
  CHECK(json.at("avg_lead_time_hours").to_number<double>() == 2);
  CHECK(keys(json.at("aging_items").at(0)) == "id title status age_hours");
  CHECK(cli({"metrics", "--since", "2027-02-01", "--json"}).json().at("throughput_30d") == 0);
  CHECK(cli({"metrics", "--since", "soon", "--json"}).json().at("code") == "INVALID_DATE");
}

TEST_CASE("Metrics.AreReadable") {
  Cli cli;
  cli.with_board();
  deliver(cli, 1);
  cli.with_task("Open");
  cli({"move", "2", "todo"});
  cli.clock.advance(25h);
  auto const text = cli({"metrics"}).out;
  CAPTURE(text);
  CHECK(text.starts_with("Throughput (7d):  1 task\nThroughput (30d): 1 task\nAvg lead time:    2h 0m\n"));
  CHECK(text.contains("Flow efficiency:  100%\n"));
  CHECK(text.contains("2    todo     1d 1h   Open\n"));
  CHECK(cli({"metrics", "--oneline"}).out ==
        "Throughput: 1/7d 1/30d | Lead: 2h 0m | Cycle: 2h 0m | Efficiency: 100% | WIP: 0\n"
        "Aging: #2 [todo] Open (1d 1h)\n");
}

TEST_CASE("Metrics.SayWhichBoardTheyAreAboutWhereThereAreSeveral") {
  Cli cli;
  cli({"boards", "create", "first"});
  CHECK_FALSE(cli({"metrics"}).out.contains("--board"));
  CHECK_FALSE(cli({"metrics", "--oneline"}).out.contains("Board"));
  cli({"boards", "create", "shop"});
  auto const first = cli({"metrics", "--json"}).json().at("board").as_string();
  auto const of = [](std::string_view board) {
    return "Board:            " + std::string{board} + ", one of 2 boards; --board NAME shows another\n";
  };
  CHECK(cli({"metrics"}).out.contains(of(first)));
  CHECK(cli({"metrics", "--oneline"}).out.contains(" | Board: " + std::string{first}));
  CHECK(cli({"metrics", "--board", "shop"}).out.contains(of("shop")));
}

TEST_CASE("Forecast.IsReadable") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"forecast"}).out.starts_with("No forecast: "));
  for (int day = 0; day < 8; ++day) {
    deliver(cli, 1);
    cli.clock.advance(22h);
  }
  auto const text = cli({"forecast", "--tasks", "3", "--by", "2027-01-25"}).out;
  CAPTURE(text);
  CHECK(text ==
        "3 tasks will be finished\n  with 50%: by 2027-01-26 (3 days)\n  with 85%: by 2027-01-26 (3 days)\n"
        "  with 95%: by 2027-01-26 (3 days)\n"
        "By the end of 2027-01-25 there will be finished\n  with 50%: at least 2 tasks\n"
        "  with 85%: at least 2 tasks\n  with 95%: at least 2 tasks\n"
        "From 8 tasks on 8 days, 10000 trials, seed 1\n");
  CHECK(cli({"forecast", "--seed", "7", "--json"}).json().at("seed") == 7);
}

TEST_CASE("Deps.AreDrawn") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"deps"}).err == "No unfinished task waits for another.\n");
  cli.with_task("Base");
  cli({"create", "Top", "--depends-on", "1"});
  CHECK(cli({"deps"}).out == "#2 [backlog] Top\n└── #1 [backlog] Base\n");
  CHECK(cli({"deps", "1"}).out == cli({"deps"}).out);
  CHECK(cli({"deps", "--format", "dot"}).out.starts_with("digraph tasks {\n"));
  CHECK(cli({"deps", "--format", "mermaid"}).out.contains("  t2 --> t1\n"));
  auto const json = cli({"deps", "--json"}).json();
  CHECK(keys(json) == "nodes edges");
  CHECK(json.at("edges").at(0).at("depends_on") == 1);
  CHECK(cli({"deps", "9"}).code == 1);
  CHECK(cli({"deps", "--format", "png"}).code == 1);
}

TEST_CASE("Search.TakesConditionsAndPages") {
  Cli cli;
  cli.with_board().with_task("Cart one").with_task("Cart two").with_task("Cart three");
  cli({"move", "2", "todo"});
  CHECK(cli({"search", "cart status:todo"}).out == "#2 [todo] Cart two\n    Cart two\n");
  auto const page = cli({"search", "cart", "--limit", "2"});
  CHECK(page.err == "There is more: add --cursor 2\n");
  CHECK(cli({"search", "cart", "--limit", "2", "--cursor", "2", "--oneline"}).out ==
        "#3 [backlog] Cart three\n");
  auto const refused = cli({"search", "cart colour:red", "--json"}).json();
  CHECK(refused.at("details").at("position") == 6);
  CHECK(refused.at("details").at("field") == "colour");
}

TEST_CASE("Lists.AreGroupedOverAllBoards") {
  Cli cli;
  cli.with_board("shop").with_task("One");
  cli({"boards", "create", "ops", "--statuses", "inbox,doing,done"});
  cli({"create", "Two", "--board", "ops"});
  auto const groups = cli({"list", "--group-by", "status", "--json"}).json().at("groups").as_array();
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].at("key") == "backlog");
  CHECK(groups[1].at("key") == "inbox");
  CHECK(keys(groups[1].at("statuses").at(0)) == "status name count blocked overdue");
  CHECK(cli({"board", "--group-by", "status", "--board", "ops", "--json"})
            .json()
            .at("groups")
            .as_array()
            .size() == 1);
  CHECK(cli({"board", "--group-by", "mood", "--json"}).json().at("code") == "INVALID_GROUP_BY");
}
