#include <fstream>

#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;
using namespace std::chrono_literals;

namespace {

Cli& with_planner(Cli& cli) {
  cli.with_board();
  auto const added =
      cli({"automations", "add", "planner", "--cron", "0 9 * * MON-FRI", "--tz", "Europe/Berlin", "--title",
           "Plan the day", "--role", "planner", "--tag", "plan,daily"});
  CHECK_MESSAGE(added.out == "Added automation planner\n", added.err);
  return cli;
}

}  // namespace

TEST_CASE("Automations.AreAddedWithTheFlagsOfATask") {
  Cli cli;
  std::ofstream{cli.project() / "brief.md"} << "How it stands:\n{{metrics}}";
  cli.with_board();
  auto const added = cli({"automations", "add", "refill", "--after", "10m", "--title", "Find work", "--brief",
                          "brief.md", "--worker", "bob", "--next", R"({"title":"Look back"})", "--json"});
  auto const automation = added.json();
  REQUIRE(automation.is_object());
  CHECK(automation.at("kind") == "queue_dry");
  CHECK(automation.at("board") == "shop");
  CHECK(automation.at("after") == "10m");
  auto const& task = automation.at("template");
  CHECK(task.at("title") == "Find work");
  CHECK(task.at("body") == "How it stands:\n{{metrics}}");
  CHECK(task.at("assignee") == "bob");
  CHECK(task.at("next_tasks").at(0).at("title") == "Look back");
  auto const whole =
      cli({"automations", "add", "x", "--cron", "@daily", "--template", R"({"title":"T","role":"qa"})"});
  CHECK(whole.out == "Added automation x\n");
}

TEST_CASE("Automations.AreListedWithWhenTheyFire") {
  Cli cli;
  with_planner(cli);
  cli({"automations", "add", "refill", "--after", "10m", "--title", "Find work", "--enabled=false"});
  auto const list = cli({"automations"}).out;
  CHECK(list.starts_with("NAME "));
  CHECK(list.contains("0 9 * * MON-FRI Europe/Berlin"));
  CHECK(list.contains("2027-01-18 08:00"));
  CHECK(list.contains("queue dry for 10m"));
  CHECK(cli({"automations", "list", "--compact"})
            .out.starts_with("#1 planner [shop] 0 9 * * MON-FRI Europe/Berlin next:2027-01-18 08:00 Plan the "
                             "day\n#2 refill [shop] queue dry for 10m next:off"));
  CHECK(cli({"automations", "list", "--json"}).json().as_array().size() == 2);
  auto const page = cli({"automations", "show", "planner"}).out;
  CHECK(page.starts_with("planner (shop)\n  Fires:"));
  CHECK(page.contains("Role:      planner\n"));
}

TEST_CASE("Automations.AreEditedFlagByFlag") {
  Cli cli;
  with_planner(cli);
  CHECK(cli({"automations", "edit", "planner", "--role", "lead", "--cron", "@weekly"}).out ==
        "Changed automation planner\n");
  auto const automation = cli({"automations", "show", "planner", "--json"}).json();
  CHECK(automation.at("cron") == "@weekly");
  CHECK(automation.at("template").at("role") == "lead");
  CHECK(automation.at("template").at("title") == "Plan the day");
  CHECK(automation.at("template").at("tags").as_array().size() == 2);
  CHECK(cli({"automations", "edit", "planner", "--enabled=false", "--json"}).json().at("enabled") == false);
}

TEST_CASE("Automations.RunByHandAndGo") {
  Cli cli;
  with_planner(cli);
  CHECK(cli({"automations", "run", "planner"}).out == "Created task #1: Plan the day\n");
  auto const again = cli({"automations", "run", "planner"});
  CHECK(again.code == 1);
  CHECK(again.err.contains("task #1 of automation \"planner\" is still open"));
  CHECK(cli({"automations"}).out.contains("#1"));
  CHECK(cli({"log", "--action", "automation.fired", "--oneline"})
            .out.contains("automation.fired #1 Plan the day"));
  CHECK(cli({"automations", "remove", "planner", "-y"}).out == "Removed automation planner\n");
  CHECK(cli({"automations", "list"}).err == "Nothing found.\n");
}

TEST_CASE("Automations.RefusalsSayWhatToDo") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"automations", "add", "x", "--title", "T"}).err.contains("say when it fires"));
  CHECK(cli({"automations", "add", "x", "--cron", "0 25 * * *", "--title", "T"})
            .err.contains("\"25\" is no hour"));
  CHECK(cli({"automations", "add", "x", "--cron", "@daily"}).err.contains("--title"));
  CHECK(cli({"automations", "run"}).err.contains("id is required"));
  CHECK(cli({"automations", "run", "nobody", "--json"}).json().at("code") == "AUTOMATION_NOT_FOUND");
}
