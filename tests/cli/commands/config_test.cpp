#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;

TEST_CASE("Config.ShowsEverySettingUnderKanbanMdsName") {
  Cli cli;
  cli.with_board().with_task("A");
  auto const text = cli({"config"}).out;
  for (auto const* line :
       {"version              11\n", "board.name           shop\n", "board.description    \n",
        "tasks_dir            tasks\n",
        "statuses             backlog, todo, in-progress, review, done, archived\n",
        "priorities           low, medium, high, critical\n", "defaults.status      backlog\n",
        "wip_limits           --\n", "claim_timeout        1h\n", "tui.title_lines      2\n",
        "next_id              2\n"})
    CHECK(text.contains(line));
  auto const json = cli({"config", "--json"}).json().as_object();
  CHECK(json.size() == 17);
  CHECK(json.begin()->key() == "board.description");
  CHECK(json.at("tui.age_thresholds").as_array().size() == 5);
  CHECK(json.at("wip_limits").as_object().empty());
}

TEST_CASE("Config.SetsWhatIsToBeSet") {
  struct Row {
    char const* key;
    char const* value;
    char const* json;
  };
  Cli cli;
  cli.with_board();
  for (auto const& row :
       {Row{"board.name", "My Project", "\"My Project\""}, Row{"board.description", "For all", "\"For all\""},
        Row{"defaults.status", "todo", "\"todo\""}, Row{"defaults.priority", "high", "\"high\""},
        Row{"defaults.class", "expedite", "\"expedite\""}, Row{"claim_timeout", "2h", "\"2h\""},
        Row{"tui.title_lines", "3", "3"}, Row{"tui.hide_empty_columns", "true", "true"},
        Row{"tui.narrow_threshold", "20", "20"}}) {
    CAPTURE(row.key);
    CHECK(cli({"config", "set", row.key, row.value}).out ==
          std::string{"Set "} + row.key + " = " + row.value + "\n");
    CHECK(cli({"config", "get", row.key, "--json"}).out == std::string{row.json} + "\n");
    CHECK(cli({"config", "get", row.key}).out == std::string{row.value} + "\n");
  }
  CHECK(cli({"config", "set", "tui.title_lines", "1", "--json"}).out ==
        "{\n  \"key\": \"tui.title_lines\",\n  \"value\": 1\n}\n");
  CHECK(cli({"board", "--json"}).json().at("board_name") == "My Project");
}

TEST_CASE("Config.ADefaultClassMayBeNone") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"config", "set", "defaults.class", ""}).code == 0);
  CHECK(cli({"config", "get", "defaults.class", "--json"}).out == "\"\"\n");
  CHECK(cli({"create", "A"}).code == 0);
  CHECK(cli({"pick", "--claim", "a"}).code == 0);
}

TEST_CASE("Config.RefusesValuesOutOfRange") {
  Cli cli;
  cli.with_board();
  for (auto const& [key, value] : {std::pair{"tui.title_lines", "4"},
                                   {"tui.title_lines", "x"},
                                   {"tui.hide_empty_columns", "y"},
                                   {"defaults.priority", "x"},
                                   {"defaults.class", "x"},
                                   {"board.name", ""}}) {
    CAPTURE(key);
    CHECK(cli({"config", "set", key, value, "--json"}).json().at("code") == "INVALID_INPUT");
  }
}
