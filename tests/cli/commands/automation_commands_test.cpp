#include <fstream>

#include <doctest/doctest.h>

#include "cli/commands/desk.hpp"

using andon::test::Desk;
using namespace std::chrono_literals;

namespace {

Desk& with_planner(Desk& desk) {
  desk.with_board();
  auto const added =
      desk({"automations", "add", "planner", "--cron", "0 9 * * MON-FRI", "--tz", "Europe/Berlin", "--title",
            "Plan the day", "--role", "planner", "--tag", "plan,daily"});
  CHECK_MESSAGE(added.out == "Added automation planner\n", added.err);
  return desk;
}

}  // namespace

TEST_CASE("Automations.AreAddedWithTheFlagsOfATask") {
  Desk desk;
  std::ofstream{desk.project() / "brief.md"} << "How it stands:\n{{metrics}}";
  desk.with_board();
  auto const added =
      desk({"automations", "add", "refill", "--after", "10m", "--title", "Find work", "--brief", "brief.md",
            "--worker", "bob", "--next", R"({"title":"Look back"})", "--json"});
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
      desk({"automations", "add", "x", "--cron", "@daily", "--template", R"({"title":"T","role":"qa"})"});
  CHECK(whole.out == "Added automation x\n");
}

TEST_CASE("Automations.AreListedWithWhenTheyFire") {
  Desk desk;
  with_planner(desk);
  desk({"automations", "add", "refill", "--after", "10m", "--title", "Find work", "--enabled=false"});
  auto const list = desk({"automations"}).out;
  CHECK(list.starts_with("NAME "));
  CHECK(list.contains("0 9 * * MON-FRI Europe/Berlin"));
  CHECK(list.contains("2027-01-18 08:00"));
  CHECK(list.contains("queue dry for 10m"));
  CHECK(desk({"automations", "list", "--compact"})
            .out.starts_with("#1 planner [shop] 0 9 * * MON-FRI Europe/Berlin next:2027-01-18 08:00 Plan the "
                             "day\n#2 refill [shop] queue dry for 10m next:off"));
  CHECK(desk({"automations", "list", "--json"}).json().as_array().size() == 2);
  auto const page = desk({"automations", "show", "planner"}).out;
  CHECK(page.starts_with("planner (shop)\n  Fires:"));
  CHECK(page.contains("Role:      planner\n"));
}

TEST_CASE("Automations.AreEditedFlagByFlag") {
  Desk desk;
  with_planner(desk);
  CHECK(desk({"automations", "edit", "planner", "--role", "lead", "--cron", "@weekly"}).out ==
        "Changed automation planner\n");
  auto const automation = desk({"automations", "show", "planner", "--json"}).json();
  CHECK(automation.at("cron") == "@weekly");
  CHECK(automation.at("template").at("role") == "lead");
  CHECK(automation.at("template").at("title") == "Plan the day");
  CHECK(automation.at("template").at("tags").as_array().size() == 2);
  CHECK(desk({"automations", "edit", "planner", "--enabled=false", "--json"}).json().at("enabled") == false);
}

TEST_CASE("Automations.RunByHandAndGo") {
  Desk desk;
  with_planner(desk);
  CHECK(desk({"automations", "run", "planner"}).out == "Created task #1: Plan the day\n");
  auto const again = desk({"automations", "run", "planner"});
  CHECK(again.code == 1);
  CHECK(again.err.contains("task #1 of automation \"planner\" is still open"));
  CHECK(desk({"automations"}).out.contains("#1"));
  CHECK(desk({"log", "--action", "automation.fired", "--oneline"})
            .out.contains("automation.fired #1 Plan the day"));
  CHECK(desk({"automations", "remove", "planner", "-y"}).out == "Removed automation planner\n");
  CHECK(desk({"automations", "list"}).err == "Nothing found.\n");
}

TEST_CASE("Automations.RefusalsSayWhatToDo") {
  Desk desk;
  desk.with_board();
  CHECK(desk({"automations", "add", "x", "--title", "T"}).err.contains("say when it fires"));
  CHECK(desk({"automations", "add", "x", "--cron", "0 25 * * *", "--title", "T"})
            .err.contains("\"25\" is no hour"));
  CHECK(desk({"automations", "add", "x", "--cron", "@daily"}).err.contains("--title"));
  CHECK(desk({"automations", "run"}).err.contains("id is required"));
  CHECK(desk({"automations", "run", "nobody", "--json"}).json().at("code") == "AUTOMATION_NOT_FOUND");
}
