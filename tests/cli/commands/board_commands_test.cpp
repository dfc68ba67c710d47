#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;

TEST_CASE("Board.IsSummarisedInEveryFormat") {
  Cli cli;
  cli.with_board().with_task("A");
  cli({"create", "B", "--status", "todo", "--class", "expedite"});
  cli({"create", "C", "--due", "2020-01-01"});
  cli({"edit", "3", "--block", "waiting"});
  auto const text = cli({"board"}).out;
  CHECK(text.starts_with("shop\nTotal: 3 tasks\n\nSTATUS"));
  CHECK(text.contains("Classes: 1 expedite | 0 fixed-date | 2 standard | 0 intangible\n"));
  auto const compact = cli({"summary", "--oneline"}).out;
  CHECK(compact.starts_with("shop (3 tasks)\n"));
  CHECK(compact.contains("  todo: 1\n"));
  CHECK(compact.contains("Priority: low=0 medium=3 high=0 critical=0\n"));
  auto const json = cli({"board", "--json"}).json();
  CHECK(json.at("board_name") == "shop");
  CHECK(json.at("total_tasks") == 3);
  CHECK(json.at("statuses").as_array().size() == 5);
  auto const lanes = cli({"board", "--group-by", "class", "--json"}).json();
  CHECK(lanes.as_object().size() == 1);
  CHECK(lanes.at("groups").at(0).at("key") == "expedite");
  CHECK(lanes.at("groups").at(0).at("statuses").as_array().size() == 6);
}

TEST_CASE("Boards.AreMadeWithTheirColumns") {
  Cli cli;
  CHECK(cli({"boards", "create", "ops", "--statuses", "inbox,doing:2,done"}).out == "Created board ops\n");
  auto const board = cli({"boards", "show", "ops", "--json"}).json();
  CHECK(board.at("columns").at(0).at("stage") == "backlog");
  CHECK(board.at("columns").at(1).at("wip_limit") == 2);
  CHECK(board.at("columns").at(2).at("stage") == "done");
  CHECK(cli({"boards"}).out.contains("ops"));
}

TEST_CASE("Boards.NameTheirRepositoryByAPathThatCountsFromEverywhere") {
  Cli cli;
  auto const repo_of = [&](std::string const& given) {
    REQUIRE(cli({"boards", "edit", "ops", "--repo", given, "--worktree"}).code == 0);
    return std::string{cli({"boards", "show", "ops", "--json"}).json().at("repo").as_string()};
  };
  cli.with_board("ops");
  CHECK(repo_of("../shop/") == (cli.project().parent_path() / "shop").native());
  CHECK(repo_of(".") == cli.project());
  CHECK(repo_of("/srv/shop") == "/srv/shop");
  CHECK(repo_of("git@example.org:team/shop.git") == "git@example.org:team/shop.git");
  CHECK(cli({"boards", "edit", "ops", "--repo", "ext::sh"}).code != 0);
}

TEST_CASE("Doctor.NeedsADataDirectoryToExamineARepository") {
  Cli cli;
  CHECK(cli({"doctor", "--repo", "."}).err.contains("this needs a server or a data directory"));
}

TEST_CASE("Workers.ComeAndGo") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"workers", "add", "coder", "--role", "dev", "--agent", "claude"}).out == "Added worker coder\n");
  CHECK(cli({"workers"}).out.contains("coder"));
  CHECK(cli({"workers", "pause", "coder"}).out == "Worker coder is paused\n");
  CHECK(cli({"dispatch", "resume", "coder"}).out == "Worker coder picks again\n");
  CHECK(cli({"dispatch", "pause"}).out == "Dispatch is paused\n");
  CHECK(cli({"dispatch"}).out.starts_with("Dispatch is paused: 0 running"));
  CHECK(cli({"dispatch", "resume", "--json"}).json().at("paused") == false);
  CHECK(cli({"workers", "remove", "coder", "-y"}).out == "Removed worker coder\n");
}

TEST_CASE("Log.SpeaksKanbanMdsWords") {
  Cli cli;
  cli.with_board().with_task("A");
  cli({"move", "1", "todo"});
  auto const log = cli({"log", "--json", "--task", "1"}).json().as_array();
  REQUIRE(log.size() == 2);
  CHECK(log[0].at("action") == "create");
  CHECK(log[1].at("detail") == "backlog -> todo");
  CHECK(cli({"log", "--action", "move", "--oneline"}).out.contains("move #1 backlog -> todo"));
  CHECK(cli({"log", "--limit", "1", "--json"}).json().as_array().size() == 1);
  CHECK(cli({"log", "--since", "soon", "--json"}).json().at("code") == "INVALID_DATE");
}

TEST_CASE("Log.TellsWhatKanbanMdTells") {
  Cli cli;
  cli.with_board().with_task("A");
  cli({"claim", "1"});
  cli({"edit", "1", "--block", "waiting"});
  cli({"edit", "1", "--unblock"});
  cli({"archive", "1"});
  std::string told;
  auto const entries = cli({"log", "--json", "--task", "1"}).json().as_array();
  for (auto const& entry : entries)
    told += std::string{entry.at("action").as_string()} + ": " + std::string{entry.at("detail").as_string()} +
            "\n";
  CHECK(told ==
        "create: A\nclaim: ann\nedit: A\nblock: waiting\nedit: A\nunblock: A\nmove: backlog -> archived\n");
  cli.with_task("B");
  cli({"move", "2", "todo"});
  CHECK(cli({"log", "--action", "move", "--json"}).json().as_array().size() == 2);
  auto const last = cli({"log", "--action", "move", "--limit", "1", "--json"}).json().as_array();
  REQUIRE(last.size() == 1);
  CHECK(last[0].at("task_id") == 2);
}

TEST_CASE("Search.ShowsHits") {
  Cli cli;
  cli.with_board().with_task("Fix the cart session");
  CHECK(cli({"search", "cart", "session"}).out.starts_with("#1 [backlog] Fix the cart session\n"));
  auto const nothing = cli({"search", "bicycle"});
  CHECK(nothing.out.empty());
  CHECK(nothing.err == "Nothing found.\n");
}
