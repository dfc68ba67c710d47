#include <doctest/doctest.h>

#include "cli/commands/desk.hpp"

using andon::test::Desk;

TEST_CASE("Board.IsSummarisedInEveryFormat") {
  Desk desk;
  desk.with_board().with_task("A");
  desk({"create", "B", "--status", "todo", "--class", "expedite"});
  desk({"create", "C", "--due", "2020-01-01"});
  desk({"edit", "3", "--block", "waiting"});
  auto const text = desk({"board"}).out;
  CHECK(text.starts_with("shop\nTotal: 3 tasks\n\nSTATUS"));
  CHECK(text.contains("Classes: 1 expedite | 0 fixed-date | 2 standard | 0 intangible\n"));
  auto const compact = desk({"summary", "--oneline"}).out;
  CHECK(compact.starts_with("shop (3 tasks)\n"));
  CHECK(compact.contains("  todo: 1\n"));
  CHECK(compact.contains("Priority: low=0 medium=3 high=0 critical=0\n"));
  auto const json = desk({"board", "--json"}).json();
  CHECK(json.at("board_name") == "shop");
  CHECK(json.at("total_tasks") == 3);
  CHECK(json.at("statuses").as_array().size() == 5);
  auto const lanes = desk({"board", "--group-by", "class", "--json"}).json();
  CHECK(lanes.as_object().size() == 1);
  CHECK(lanes.at("groups").at(0).at("key") == "expedite");
  CHECK(lanes.at("groups").at(0).at("statuses").as_array().size() == 6);
}

TEST_CASE("Boards.AreMadeWithTheirColumns") {
  Desk desk;
  CHECK(desk({"boards", "create", "ops", "--statuses", "inbox,doing:2,done"}).out == "Created board ops\n");
  auto const board = desk({"boards", "show", "ops", "--json"}).json();
  CHECK(board.at("columns").at(0).at("stage") == "backlog");
  CHECK(board.at("columns").at(1).at("wip_limit") == 2);
  CHECK(board.at("columns").at(2).at("stage") == "done");
  CHECK(desk({"boards"}).out.contains("ops"));
}

TEST_CASE("Workers.ComeAndGo") {
  Desk desk;
  desk.with_board();
  CHECK(desk({"workers", "add", "coder", "--role", "dev", "--agent", "claude"}).out ==
        "Added worker coder\n");
  CHECK(desk({"workers"}).out.contains("coder"));
  CHECK(desk({"workers", "pause", "coder"}).out == "Worker coder is paused\n");
  CHECK(desk({"dispatch", "resume", "coder"}).out == "Worker coder picks again\n");
  CHECK(desk({"dispatch", "pause"}).out == "Dispatch is paused\n");
  CHECK(desk({"dispatch"}).out.starts_with("Dispatch is paused: 0 running"));
  CHECK(desk({"dispatch", "resume", "--json"}).json().at("paused") == false);
  CHECK(desk({"workers", "remove", "coder", "-y"}).out == "Removed worker coder\n");
}

TEST_CASE("Log.SpeaksKanbanMdsWords") {
  Desk desk;
  desk.with_board().with_task("A");
  desk({"move", "1", "todo"});
  auto const log = desk({"log", "--json", "--task", "1"}).json().as_array();
  REQUIRE(log.size() == 2);
  CHECK(log[0].at("action") == "create");
  CHECK(log[1].at("detail") == "backlog -> todo");
  CHECK(desk({"log", "--action", "move", "--oneline"}).out.contains("move #1 backlog -> todo"));
  CHECK(desk({"log", "--limit", "1", "--json"}).json().as_array().size() == 1);
  CHECK(desk({"log", "--since", "soon", "--json"}).json().at("code") == "INVALID_DATE");
}

TEST_CASE("Log.TellsWhatKanbanMdTells") {
  Desk desk;
  desk.with_board().with_task("A");
  desk({"claim", "1"});
  desk({"edit", "1", "--block", "waiting"});
  desk({"edit", "1", "--unblock"});
  desk({"archive", "1"});
  std::string told;
  auto const entries = desk({"log", "--json", "--task", "1"}).json().as_array();
  for (auto const& entry : entries)
    told += std::string{entry.at("action").as_string()} + ": " + std::string{entry.at("detail").as_string()} +
            "\n";
  CHECK(told ==
        "create: A\nclaim: ann\nedit: A\nblock: waiting\nedit: A\nunblock: A\nmove: backlog -> archived\n");
  desk.with_task("B");
  desk({"move", "2", "todo"});
  CHECK(desk({"log", "--action", "move", "--json"}).json().as_array().size() == 2);
  auto const last = desk({"log", "--action", "move", "--limit", "1", "--json"}).json().as_array();
  REQUIRE(last.size() == 1);
  CHECK(last[0].at("task_id") == 2);
}

TEST_CASE("Search.ShowsHits") {
  Desk desk;
  desk.with_board().with_task("Fix the cart session");
  CHECK(desk({"search", "cart", "session"}).out.starts_with("#1 [backlog] Fix the cart session\n"));
  auto const nothing = desk({"search", "bicycle"});
  CHECK(nothing.out.empty());
  CHECK(nothing.err == "Nothing found.\n");
}
