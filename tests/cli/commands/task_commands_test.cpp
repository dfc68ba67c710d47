#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;

TEST_CASE("Create.TellsTheNumberAndTheTitle") {
  Cli cli;
  cli.with_board();
  auto const made =
      cli({"create", "Fix the cart", "--tags", "api,web", "--priority=high", "--assignee", "ann"});
  CHECK(made.code == 0);
  CHECK(made.out ==
        "Created task #1: Fix the cart\n  Status: backlog | Priority: high\n  Board: shop\n  Assignee: ann\n"
        "  Tags: api, web\n");
  CHECK(made.err.empty());
}

TEST_CASE("Create.ReadsTheBriefFromTheStandardInput") {
  Cli cli;
  cli.with_board();
  auto const made = cli({"create", "A", "--brief", "-", "--json"}, "What to do\n");
  CHECK(made.json().at("body").as_string().starts_with("What to do"));
}

TEST_CASE("Create.TakesTheTitleOnceAndInEitherWay") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"create", "--title", "B"}).out.starts_with("Created task #1: B\n"));
  auto const twice = cli({"create", "A", "--title", "B", "--json"});
  CHECK(twice.code == 1);
  CHECK(twice.json().at("code") == "INVALID_INPUT");
  CHECK(twice.out.contains("both"));
  auto const none = cli({"create"});
  CHECK(none.code == 1);
  CHECK(none.err.contains("title is required"));
  CHECK(cli({"--json", "create"}).code == 2);
}

TEST_CASE("List.HasKanbanMdsThreeFormats") {
  Cli cli;
  cli.with_board().with_task("First");
  cli({"create", "Second 你好", "--tag", "api", "--due", "2026-12-01", "--priority", "high"});
  CHECK(cli({"list"}).out ==
        "ID   STATUS    PRIORITY   TITLE         CLAIMED   TAGS   DUE\n"
        "1    backlog   medium     First         --        --     --\n"
        "2    backlog   high       Second 你好   --        api    2026-12-01\n");
  CHECK(cli({"--oneline", "ls"}).out ==
        "#1 [backlog/medium] First\n"
        "#2 [backlog/high] Second 你好 (api) due:2026-12-01\n");
  auto const json = cli({"list", "--json"}).json();
  REQUIRE(json.is_array());
  CHECK(json.at(1).at("title") == "Second 你好");
  cli.variables["KANBAN_OUTPUT"] = "compact";
  CHECK(cli({"list"}).out.starts_with("#1 "));
  CHECK(cli({"list", "--table"}).out.starts_with("ID "));
}

TEST_CASE("List.OfNothingIsEmptyForScripts") {
  Cli cli;
  cli.with_board();
  auto const text = cli({"list"});
  CHECK(text.out.empty());
  CHECK(text.err == "No tasks found.\n");
  CHECK(cli({"list", "--json"}).out == "[]\n");
}

TEST_CASE("List.FiltersSortsAndGroups") {
  Cli cli;
  cli.with_board().with_task("Apple").with_task("Pear").with_task("Apple pie");
  cli({"edit", "2", "--assignee", "ann"});
  CHECK(cli({"list", "-s", "apple", "-rn1", "--oneline"}).out == "#3 [backlog/medium] Apple pie\n");
  CHECK(cli({"list", "--mine", "--oneline"}).out == "#2 [backlog/medium] Pear\n");
  auto const grouped = cli({"list", "--group-by", "assignee", "--oneline"});
  CHECK(grouped.out ==
        "(unassigned) (2 tasks)\n#1 [backlog/medium] Apple\n#3 [backlog/medium] Apple pie\n\n"
        "ann (1 tasks)\n#2 [backlog/medium] Pear\n");
  auto const groups = cli({"list", "--group-by", "assignee", "--json"}).json().at("groups").as_array();
  CHECK(groups.size() == 2);
  CHECK(cli({"list", "--group-by", "mood", "--json"}).json().at("code") == "INVALID_GROUP_BY");
}

TEST_CASE("Show.PrintsEveryPartOfATask") {
  Cli cli;
  cli.with_board().with_task("Parent").with_task("Before");
  cli({"create", "Child", "--parent", "1", "--depends-on", "2", "--body", "Line one\nLine two"});
  auto const page = cli({"show", "3"}).out;
  CHECK(page.starts_with("Task #3: Child\n--------------\n  Status:      backlog\n"));
  CHECK(page.contains("  Parent:      #1 [backlog] Parent\n"));
  CHECK(page.contains("  Depends on:  #2 [backlog] Before\n"));
  CHECK(page.contains("\nLine one\nLine two\n"));
}

TEST_CASE("Show.KeepsHostileTextFromTheTerminal") {
  Cli cli;
  cli.with_board();
  cli({"create", "Plain", "--body", "\x1b]0;owned\x07 text"});
  CHECK_FALSE(cli({"show", "1"}).out.contains('\x1b'));
  CHECK(cli({"show", "1"}).out.contains("\\x1b]0;owned\\x07 text"));
  CHECK_FALSE(cli({"show", "1", "--json"}).out.contains('\x1b'));
}

TEST_CASE("Show.PrintsWhatNoReaderSeesAndKeepsTheStoredBytes") {
  Cli cli;
  cli.with_board();
  std::string const body = "a\u202eb\U000E0041 שלום";
  cli({"create", "Plain", "--body", body});
  CHECK(cli({"show", "1"}).out.contains("a[U+202E]b[U+E0041] שלום"));
  auto const told = cli({"show", "1", "--json"});
  CHECK(told.out.contains("a\\u202eb\\udb40\\udc41 שלום"));
  CHECK(told.json().at("body").as_string() == body);
}

TEST_CASE("Create.RefusesBytesThatAreNoText") {
  Cli cli;
  cli.with_board();
  for (std::vector<std::string> const& words : {std::vector<std::string>{"create", "a\xff\xfe", "--json"},
                                                {"create", "a", "--body", "\xff\xfe", "--json"},
                                                {"create", "a", "--tags", "x,\xff", "--json"}}) {
    auto const refused = cli(words);
    CHECK(refused.code == 1);
    CHECK(refused.json().at("code") == "INVALID_INPUT");
    CHECK(refused.out.contains("must be UTF-8"));
  }
  CHECK(cli({"list", "--json"}).out == "[]\n");
}

TEST_CASE("Settings.ThatHaveNoEffectAreNamed") {
  Cli cli;
  cli.with_board();
  CHECK_FALSE(cli({"list"}).err.contains("effect"));
  std::ofstream{cli.project() / ".andon/andon.yml"} << "listen: 127.0.0.1:1\n";
  CHECK(cli({"list"}).err.contains("none of them but \"store\" has any effect"));
}

TEST_CASE("Move.KnowsNextPrevAndWhereItAlreadyIs") {
  Cli cli;
  cli.with_board().with_task("A");
  CHECK(cli({"move", "1", "todo"}).out == "Moved task #1: backlog -> todo\n");
  CHECK(cli({"move", "1", "todo"}).out == "Task #1 is already at todo\n");
  auto const same = cli({"move", "1", "todo", "--json"}).json();
  CHECK(same.at("changed") == false);
  CHECK(cli({"move", "1", "--prev"}).out == "Moved task #1: todo -> backlog\n");
  auto const edge = cli({"move", "1", "--prev", "--json"});
  CHECK(edge.code == 1);
  CHECK(edge.json().at("code") == "BOUNDARY_ERROR");
  CHECK(edge.json().at("details").at("direction") == "first");
  CHECK(cli({"move", "1"}).err.contains("provide a target status"));
}

TEST_CASE("Batch.RunsEachTaskOnItsOwn") {
  Cli cli;
  cli.with_board().with_task("A").with_task("B");
  auto const text = cli({"move", "1, 2,7,1", "todo"});
  CHECK(text.code == 1);
  CHECK(text.out == "Completed 2/3 operations\n");
  CHECK(text.err.contains("#7"));
  auto const json = cli({"move", "1,7", "backlog", "--json"});
  CHECK(json.code == 1);
  CHECK(json.json().at(0).at("ok") == true);
  CHECK(json.json().at(1).at("code") == "TASK_NOT_FOUND");
  CHECK(cli({"approve", "1", "2"}).out == "Completed 2/2 operations\n");
  CHECK(cli({"move", ",", "todo", "--json"}).json().at("code") == "INVALID_TASK_ID");
}

TEST_CASE("Edit.CombinesWhatOtherOperationsDo") {
  Cli cli;
  cli.with_board().with_task("A");
  CHECK(cli({"edit", "1", "--title", "B", "--add-tag", "x", "-a", "more"}).out == "Updated task #1: B\n");
  CHECK(cli({"edit", "1", "--claim", "bot", "--json"}).json().at("claimed_by") == "bot");
  CHECK(cli({"edit", "1", "--release", "--json"}).json().as_object().contains("claimed_by") == false);
  CHECK(cli({"edit", "1", "--block", "waiting", "--json"}).json().at("block_reason") == "waiting");
  CHECK(cli({"edit", "1", "--unblock", "--json"}).json().as_object().contains("blocked") == false);
  cli({"edit", "1", "--due", "2026-12-01"});
  CHECK(cli({"edit", "1", "--clear-due", "--json"}).json().as_object().contains("due") == false);
  cli({"edit", "1", "--not-before", "2030-01-01T00:00:00Z"});
  CHECK(cli({"edit", "1", "--clear-not-before", "--json"}).json().as_object().contains("not_before") ==
        false);
  CHECK(cli({"edit", "1", "--json"}).json().at("code") == "NO_CHANGES");
  CHECK(cli({"edit", "1", "--priority", "", "--json"}).json().at("code") == "NO_CHANGES");
  CHECK(cli({"edit", "1", "--block", "x", "--unblock"})
            .err.contains("cannot use --block and --unblock together"));
  auto const date = cli({"edit", "1", "--due", "tomorrow", "--json"}).json();
  CHECK(date.at("code") == "INVALID_DATE");
  CHECK(date.at("details").at("input") == "tomorrow");
}

TEST_CASE("Delete.AsksFirst") {
  Cli cli;
  cli.with_board().with_task("A").with_task("B").with_task("C");
  auto const refused = cli({"delete", "1", "--json"});
  CHECK(refused.code == 1);
  CHECK(refused.json().at("code") == "CONFIRMATION_REQUIRED");
  CHECK(cli({"rm", "1"}).err.contains("not a terminal"));
  CHECK(cli({"rm", "1,2"}).err.contains("batch delete requires --yes"));
  CHECK(cli({"rm", "1", "-y"}).out == "Deleted task #1: A\n");
  cli.terminal = true;
  CHECK(cli({"delete", "2"}, "n\n").err.contains("Cancelled."));
  CHECK(cli({"delete", "2"}, "y\n").out == "Deleted task #2: B\n");
}

TEST_CASE("Create.TakesATabInATitle") {
  Cli cli;
  cli.with_board();
  CHECK(cli({"create", "A\tB\t", "--json"}).json().at("title") == "A\tB");
  CHECK(cli({"show", "1"}).out.contains("Task #1: A\\tB\n"));
  CHECK(cli({"create", "\t"}).code == 1);
}

TEST_CASE("List.OfArchivedTasksShowsNoOthers") {
  Cli cli;
  cli.with_board().with_task("A").with_task("B");
  cli({"archive", "2"});
  CHECK(cli({"list", "--compact"}).out.starts_with("#1 "));
  auto const archived = cli({"list", "--archived", "--compact"}).out;
  CHECK(archived.starts_with("#2 [archived/"));
  CHECK_FALSE(archived.contains("#1"));
}

TEST_CASE("List.SearchesWithoutRegardToTheCaseOfAnyLetter") {
  Cli cli;
  cli.with_board();
  cli({"create", "Über die Straße"});
  cli({"create", "Other", "--tags", "ДОМ"});
  CHECK(cli({"list", "--search", "ÜBER", "--compact"}).out.starts_with("#1 "));
  CHECK(cli({"list", "--search", "дом", "--compact"}).out.starts_with("#2 "));
  CHECK(cli({"list", "--search", "100%"}).out.empty());
}

TEST_CASE("Help.OfACommandListsItsSubCommands") {
  Cli cli;
  CHECK(cli({"skill", "--help"}).out.contains("  skill install "));
  CHECK(cli({"config", "--help"}).out.contains("  config set "));
  CHECK(cli({"help", "config"}).out.contains("  config get "));
}

TEST_CASE("Pick.PrintsTheTaskBelowItsSentence") {
  Cli cli;
  cli.with_board();
  cli({"create", "A", "--status", "todo", "--body", "Do it"});
  auto const picked = cli({"pick", "--claim", "bot", "--move", "in-progress"});
  CHECK(picked.code == 0);
  CHECK(picked.out.starts_with(
      "Picked and moved task #1: A (todo -> in-progress, claimed by bot)\n\nTask #1: A\n"));
  CHECK(picked.out.contains("Do it"));
  auto const nothing = cli({"pick", "--claim", "bot", "--json"});
  CHECK(nothing.code == 1);
  CHECK(nothing.json().at("code") == "NOTHING_TO_PICK");
  CHECK(cli({"pick", "--claim", "", "--json"}).json().at("code") == "INVALID_INPUT");
}

TEST_CASE("Archive.SaysWhenNothingChanged") {
  Cli cli;
  cli.with_board().with_task("A");
  CHECK(cli({"archive", "1"}).out == "Archived task #1: A\n");
  CHECK(cli({"archive", "1"}).out.contains("already archived"));
  CHECK(cli({"archive", "1", "--json"}).json().at("changed") == false);
}

TEST_CASE("Run.KnowsItsTask") {
  Cli cli;
  cli.with_board().with_task("A");
  cli.variables["ANDON_TASK"] = "1";
  CHECK(cli({"note", "half", "way"}).out == "Noted on task #1: A\n");
  CHECK(cli({"note", "1", "more"}).code == 0);
  CHECK(cli({"show", "--oneline"}).out.starts_with("#1 "));
  cli.variables.erase("ANDON_TASK");
  CHECK(cli({"show"}).err.contains("a task ID is required"));
  CHECK(cli({"block", "1"}).err.contains("reason is required"));
  CHECK(cli({"note", "half way"}).err.contains("a task ID is required"));
}

TEST_CASE("Heartbeat.UsesTheHoldersEpoch") {
  Cli cli;
  cli.with_board();
  cli({"create", "A", "--status", "todo"});
  cli({"claim", "1"});
  CHECK(cli({"heartbeat", "1"}).out.starts_with("Claim lives until "));
  auto const other = cli({"heartbeat", "1", "--as", "bob", "--json"});
  CHECK(other.code == 1);
  CHECK(other.json().at("code") == "TASK_CLAIMED");
}

TEST_CASE("Text.ADashReadsItFromStandardInputWhateverTheVerb") {
  std::string const text = "## Why\n\n`a`, $(b), 'c' and \"d\".\n";
  for (auto const& [arguments, field] :
       std::initializer_list<std::pair<std::vector<std::string>, std::string>>{
           {{"create", "B", "--body", "-"}, "body"},
           {{"create", "B", "--description", "-"}, "body"},
           {{"create", "B", "--brief", "-"}, "body"},
           {{"edit", "1", "--body", "-"}, "body"},
           {{"edit", "1", "--description", "-"}, "body"},
           {{"edit", "1", "--brief", "-"}, "body"},
           {{"edit", "1", "--append-body", "-"}, "body"},
           {{"note", "1", "-"}, ""},
           {{"note", "1", "--text", "-"}, ""},
           {{"block", "1", "-"}, "block_reason"},
           {{"block", "1", "--reason", "-"}, "block_reason"},
           {{"fail", "1", "--reason", "-"}, ""},
           {{"done", "1", "--result", "-"}, "result"},
           {{"done", "1", "--no-change", "-"}, ""},
           {{"handoff", "1", "--claim", "ann", "--note", "-"}, ""},
           {{"handoff", "1", "--claim", "ann", "--block", "-"}, "block_reason"}}) {
    CAPTURE(arguments[0] + " " + arguments.back() + " " + (arguments.size() > 2 ? arguments[2] : ""));
    Cli cli;
    cli.with_board();
    cli({"create", "A", "--status", "in-progress", "--claim", "ann"});
    auto with_json = arguments;
    with_json.emplace_back("--json");
    auto const done = cli(with_json, text);
    CHECK(done.code == 0);
    CHECK_FALSE(done.out.contains("\"-\""));
    CHECK_FALSE(cli({"log", "--json"}).out.contains("\"-\""));
    if (!field.empty())
      CHECK(std::string{done.json().at(field).as_string()}.contains("`a`, $(b), 'c' and \"d\"."));
  }
}
