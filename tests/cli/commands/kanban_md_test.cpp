#include <algorithm>
#include <utility>

#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;
using andon::test::Outcome;
using Line = std::vector<std::string>;

namespace {

/// The keys_of of an object in the order they were printed.
std::string keys_of(boost::json::value const& value) {
  std::string out;
  for (auto const& member : value.as_object()) out.append(out.empty() ? "" : " ").append(member.key());
  return out;
}

std::string shown(Line const& line) {
  std::string out;
  for (auto const& word : line) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// A board in kanban-md's shape: #1 in backlog, #2 in todo held by nobody, #3 in progress held by agent-1.
struct KanbanBoard : Cli {
  KanbanBoard() {
    with_board().with_task("First").with_task("Second").with_task("Third");
    (*this)({"move", "2", "todo"});
    (*this)({"move", "3", "in-progress", "--claim", "agent-1"});
  }
};

}  // namespace

TEST_CASE("KanbanMd.RefusalsHaveTheirCodeAndDetails") {
  struct Row {
    Line line;
    std::string code;
    std::string details;
    std::string says;
  };
  std::vector<Row> const rows{
      {{"show", "9"}, "TASK_NOT_FOUND", "id", "no task"},
      {{"show", "0"}, "TASK_NOT_FOUND", "id", "no task"},
      {{"show", "x"}, "INVALID_TASK_ID", "input", "x"},
      {{"show", ""}, "INVALID_TASK_ID", "", "task ID"},
      {{"show", "1,2"}, "INVALID_TASK_ID", "input", "1,2"},
      {{"edit", "1,x", "--title", "A"}, "INVALID_TASK_ID", "input", "x"},
      {{"move", " , ", "todo"}, "INVALID_TASK_ID", "", "task ID"},
      {{"create", "A", "--title", "B"}, "INVALID_INPUT", "", "both"},
      {{"create", ""}, "INVALID_INPUT", "", "title"},
      {{"create", "A", "--body", "caf\xe9"}, "INVALID_INPUT", "", "UTF-8"},
      {{"edit", "1", "--body", "caf\xe9"}, "INVALID_INPUT", "", "UTF-8"},
      {{"create", "A", "--status", "x"}, "INVALID_STATUS", "status allowed", "invalid status"},
      {{"create", "A", "--priority", "x"}, "INVALID_PRIORITY", "priority allowed", "invalid priority"},
      {{"create", "A", "--class", "x"}, "INVALID_CLASS", "class allowed", "invalid class"},
      {{"create", "A", "--due", "01-02-2026"}, "INVALID_DATE", "field input", "invalid"},
      {{"edit", "1", "--started", "x"}, "INVALID_DATE", "field input", "invalid"},
      {{"edit", "1", "--completed", "2026-13-01"}, "INVALID_DATE", "field input", "invalid"},
      {{"log", "--since", "x"}, "INVALID_DATE", "field input", "invalid"},
      {{"list", "--group-by", "mood"}, "INVALID_GROUP_BY", "", "group-by"},
      {{"board", "--group-by", "mood"}, "INVALID_GROUP_BY", "", "group-by"},
      {{"create", "A", "--depends-on", "9"}, "DEPENDENCY_NOT_FOUND", "id", ""},
      {{"create", "A", "--parent", "9"}, "DEPENDENCY_NOT_FOUND", "id", ""},
      {{"edit", "1", "--add-dep", "1"}, "SELF_REFERENCE", "id", ""},
      {{"edit", "1"}, "NO_CHANGES", "", "no changes"},
      {{"edit", "1", "--title", "", "--due", ""}, "NO_CHANGES", "", "no changes"},
      {{"edit", "9"}, "TASK_NOT_FOUND", "id", ""},
      {{"edit", "1", "--block", ""}, "INVALID_INPUT", "", "block reason is required"},
      {{"edit", "1", "--block", "x", "--unblock"},
       "STATUS_CONFLICT",
       "",
       "cannot use --block and --unblock together"},
      {{"edit", "1", "--claim", "a", "--release"}, "STATUS_CONFLICT", "", "cannot use"},
      {{"edit", "1", "--started", "2026-01-01", "--clear-started"}, "STATUS_CONFLICT", "", "cannot use"},
      {{"edit", "1", "--completed", "2026-01-01", "--clear-completed"}, "STATUS_CONFLICT", "", "cannot use"},
      {{"edit", "1", "--parent", "2", "--clear-parent"}, "STATUS_CONFLICT", "", "cannot use"},
      {{"edit", "1", "--body", "a", "-a", "b"}, "STATUS_CONFLICT", "", "cannot use"},
      {{"edit", "1", "--claim", ""}, "INVALID_INPUT", "", "claim"},
      {{"move", "1"}, "INVALID_INPUT", "", "provide a target status"},
      {{"move", "1", "--prev"}, "BOUNDARY_ERROR", "id status direction", "first"},
      {{"move", "1", "in-progress"}, "CLAIM_REQUIRED", "status", "agent-name"},
      {{"edit", "1", "--status", "review"}, "CLAIM_REQUIRED", "status", "--claim"},
      {{"edit", "3", "--title", "Mine", "--claim", "agent-2"},
       "TASK_CLAIMED",
       "id claimed_by remaining",
       "claimed"},
      {{"move", "3", "done"}, "TASK_CLAIMED", "id claimed_by remaining", "Use --force to override."},
      {{"archive", "3"}, "TASK_CLAIMED", "id claimed_by remaining", ""},
      {{"delete", "3", "--yes"}, "TASK_CLAIMED", "id claimed_by remaining", ""},
      {{"delete", "1"}, "CONFIRMATION_REQUIRED", "", "not a terminal"},
      {{"delete", "1,2"}, "CONFIRMATION_REQUIRED", "", "batch delete requires --yes"},
      {{"handoff", "3"}, "INVALID_INPUT", "", "claim"},
      {{"pick", "--claim", ""}, "INVALID_INPUT", "", "claim"},
      {{"pick", "--claim", "a", "--tags", "none"}, "NOTHING_TO_PICK", "", "passed over"},
      {{"config", "get", "x"}, "INVALID_INPUT", "", "unknown config key"},
      {{"config", "set", "next_id", "7"}, "INVALID_INPUT", "", "read-only"},
      {{"config", "set", "claim_timeout", "1d"}, "INVALID_INPUT", "", "invalid claim_timeout"},
      {{"config", "set", "defaults.status", "x"}, "INVALID_INPUT", "", "invalid default status"},
      {{"config", "set", "tui.narrow_threshold", "-1"}, "INVALID_INPUT", "", "narrow_threshold"},
  };
  KanbanBoard cli;
  for (auto const& row : rows) {
    CAPTURE(shown(row.line));
    auto line = row.line;
    // A negative number is no flag.
    line.insert(line.begin(), "--json");
    if (row.line[0] == "config" && row.line.back() == "-1") line.insert(line.begin() + 1, "--");
    auto const refused = cli(line);
    CHECK(refused.code == 1);
    CHECK(refused.err.empty());
    auto const json = refused.json();
    REQUIRE(json.is_object());
    CHECK(json.at("code") == boost::json::value(row.code));
    CHECK(std::string{json.at("error").as_string()}.contains(row.says));
    auto const* details = json.get_object().if_contains("details");
    CHECK((details ? keys_of(*details) : "") == row.details);
    line[0] = "--table";
    auto const text = cli(line);
    CHECK(text.code == 1);
    CHECK(text.out.empty());
    CHECK(std::ranges::count(text.err, '\n') == 1);
  }
}

TEST_CASE("KanbanMd.UncodedMistakesAreOneInTextAndTwoInJson") {
  KanbanBoard cli;
  for (Line const& line :
       {Line{"create"}, Line{"pick"}, Line{"list", "--bogus"}, Line{"list", "--limit", "x"},
        Line{"config", "get"}, Line{"move", "1", "todo", "more"}, Line{"completion", "tcsh"},
        Line{"skill", "show", "--skill", "x"}}) {
    CAPTURE(shown(line));
    auto const text = cli(line);
    CHECK(text.code == 1);
    CHECK(text.out.empty());
    CHECK_FALSE(text.err.empty());
    auto first = line;
    first.insert(first.begin(), "--json");
    auto const json = cli(first);
    CHECK(json.code == 2);
    CHECK(json.json().at("code") == "INTERNAL_ERROR");
    CHECK(json.err.empty());
  }
}

TEST_CASE("KanbanMd.AnswersInJsonOnlyOnceItWasAskedTo") {
  KanbanBoard cli;
  CHECK(cli({"list", "--bogus", "--json"}).code == 1);
  CHECK(cli({"list", "--bogus", "--json"}).out.empty());
  CHECK(cli({"--json", "bogus"}).code == 1);
  CHECK(cli({"--json", "bogus"}).err.contains("unknown command"));
  cli.variables["KANBAN_OUTPUT"] = "json";
  CHECK(cli({"bogus"}).code == 2);
  CHECK(cli({"list", "--bogus"}).code == 2);
  CHECK(cli({"list", "--compact"}).out.starts_with("#1 "));
}

TEST_CASE("KanbanMd.TasksHaveItsKeysFirst") {
  KanbanBoard cli;
  cli({"edit", "1", "--claim", "a"});
  cli({"edit",    "1",          "--body",     "B",          "--assignee",  "ann",        "--add-tag", "x",
       "--due",   "2030-01-31", "--estimate", "4h",         "--parent",    "2",          "--add-dep", "2",
       "--block", "key",        "--started",  "2026-01-02", "--completed", "2026-01-03", "--claim",   "a"});
  CHECK(
      keys_of(cli({"show", "1", "--json"}).json())
          .starts_with(
              "id title status priority created updated started completed assignee tags due estimate parent "
              "depends_on blocked block_reason claimed_by claimed_at class body "));
  CHECK(keys_of(cli({"move", "1", "todo", "--claim", "a", "--json"}).json()).ends_with(" changed"));
  CHECK(keys_of(cli({"archive", "1", "--claim", "a", "--json"}).json()).ends_with(" changed"));
  CHECK(keys_of(cli({"delete", "2", "--yes", "--json"}).json()) == "id status title");
}

TEST_CASE("KanbanMd.ABriefPickKeepsTheOrderOfTheKeys") {
  KanbanBoard cli;
  cli({"edit", "2", "--body", "B"});
  auto const whole = keys_of(cli({"pick", "--claim", "a", "--status", "todo", "--json"}).json());
  REQUIRE(whole.contains(" body "));
  cli({"edit", "2", "--release"});
  auto const brief = keys_of(cli({"pick", "--claim", "a", "--status", "todo", "--no-body", "--json"}).json());
  auto const at = whole.find(" body");
  CHECK(brief == whole.substr(0, at) + whole.substr(at + 5));
}

TEST_CASE("KanbanMd.AllFiltersOfAListHold") {
  KanbanBoard cli;
  cli({"edit", "1", "--block", "why"});
  CHECK(cli({"list", "--blocked", "--oneline"}).out.starts_with("#1 "));
  CHECK(cli({"list", "--not-blocked", "--oneline"}).out.starts_with("#2 "));
  CHECK(cli({"list", "--blocked", "--not-blocked", "--json"}).out == "[]\n");
}

TEST_CASE("KanbanMd.EmptyTextsOfANewTaskAreNotGiven") {
  KanbanBoard cli;
  auto const task =
      cli({"create",     "A", "--status", "", "--priority", "", "--assignee", "", "--tags", "", "--due", "",
           "--estimate", "",  "--class",  "", "--claim",    "", "--body",     "", "--json"})
          .json();
  CHECK(task.at("status") == "backlog");
  for (auto const* key : {"assignee", "tags", "due", "estimate", "claimed_by", "body"})
    CHECK_FALSE(task.as_object().contains(key));
}

TEST_CASE("KanbanMd.AHolderWalksAFinishedTaskIntoTheArchive") {
  KanbanBoard cli;
  for (auto const* way : {"in-progress -> review", "review -> done", "done -> archived"})
    CHECK(cli({"move", "3", "--next", "--claim", "agent-1"}).out ==
          "Moved task #3: " + std::string{way} + "\n");
  CHECK_FALSE(cli({"show", "3", "--json"}).json().as_object().contains("claimed_by"));
}

TEST_CASE("KanbanMd.AnEditIsOneTransaction") {
  KanbanBoard cli;
  CHECK(cli({"edit", "1", "--claim", "a", "--priority", "none", "--json"}).json().at("code") ==
        "INVALID_PRIORITY");
  CHECK_FALSE(cli({"show", "1", "--json"}).json().as_object().contains("claimed_by"));
  auto const done = cli({"edit", "1", "--claim", "a", "--block", "key", "--add-tag", "x", "--json"}).json();
  CHECK(done.at("claimed_by") == "a");
  CHECK(done.at("block_reason") == "key");
  auto const log = cli({"log", "--task", "1", "--compact"}).out;
  for (auto const* entry : {"edit #1 First", "block #1 key", "claim #1 a"}) CHECK(log.contains(entry));
}

TEST_CASE("KanbanMd.EditSetsAndClearsTimes") {
  KanbanBoard cli;
  auto const set =
      cli({"edit", "1", "--started", "2026-01-02", "--completed", "2026-01-03", "--json"}).json();
  CHECK(set.at("started").as_string().starts_with("2026-01-02T00:00:00"));
  CHECK(set.at("completed").as_string().starts_with("2026-01-03T00:00:00"));
  auto const cleared =
      cli({"edit", "1", "--clear-started", "--clear-completed", "--json"}).json().as_object();
  CHECK_FALSE(cleared.contains("started"));
  CHECK_FALSE(cleared.contains("completed"));
}

TEST_CASE("KanbanMd.AnybodyMayRelease") {
  KanbanBoard cli;
  CHECK(cli({"edit", "3", "--release"}).code == 0);
  CHECK_FALSE(cli({"show", "3", "--json"}).json().as_object().contains("claimed_by"));
}

TEST_CASE("KanbanMd.WhatNobodyHoldsInAColumnThatWantsAClaimIsNotEdited") {
  KanbanBoard cli;
  cli({"edit", "3", "--release"});
  auto const refused = cli({"edit", "3", "--title", "New", "--json"});
  CHECK(refused.json().at("code") == "CLAIM_REQUIRED");
  CHECK(cli({"edit", "3", "--title", "New", "--claim", "a"}).code == 0);
  CHECK(cli({"show", "3", "--json"}).json().at("claimed_by") == "a");
}

TEST_CASE("KanbanMd.SayingWhatIsSoAlreadyIsNoMistake") {
  KanbanBoard cli;
  CHECK(cli({"edit", "1", "--priority", "medium"}).out == "Updated task #1: First\n");
}

TEST_CASE("KanbanMd.AnUnblockedTaskStaysWhereItIs") {
  KanbanBoard cli;
  cli({"edit", "3", "--block", "key", "--claim", "agent-1"});
  CHECK(cli({"show", "3", "--json"}).json().at("claimed_by") == "agent-1");
  auto const task = cli({"edit", "3", "--unblock", "--claim", "agent-1", "--json"}).json();
  CHECK(task.at("status") == "in-progress");
  CHECK_FALSE(task.as_object().contains("blocked"));
}

TEST_CASE("KanbanMd.HandoffBringsTheNoteIntoTheBody") {
  KanbanBoard cli;
  cli({"edit", "3", "--body", "Brief", "--claim", "agent-1"});
  auto const done =
      cli({"handoff", "3", "--claim", "agent-1", "--note", "Half done", "--block", "key", "--release"});
  CHECK(done.out == "Handed off task #3 -> review (blocked: key) (claim released)\n");
  auto const task = cli({"show", "3", "--json"}).json();
  CHECK(task.at("body") == "Brief\n\nHalf done");
  CHECK(task.at("blocked") == true);
  CHECK_FALSE(task.as_object().contains("claimed_by"));
}

TEST_CASE("KanbanMd.HandoffWantsAReviewColumn") {
  Cli cli;
  cli({"boards", "create", "shop", "--statuses", "todo,doing,done"});
  cli.with_task("A");
  auto const refused = cli({"handoff", "1", "--claim", "a", "--json"});
  CHECK(refused.json().at("code") == "INVALID_INPUT");
  CHECK(refused.out.contains("review"));
}

TEST_CASE("KanbanMd.BatchesTellOfEach") {
  KanbanBoard cli;
  auto const text = cli({"edit", "1,2,9", "--priority", "high"});
  CHECK(text.code == 1);
  CHECK(text.out == "Completed 2/3 operations\n");
  CHECK(text.err == "Error: task #9: there is no task #9\n");
  auto const json = cli({"archive", "1,9", "--json"});
  CHECK(json.code == 1);
  CHECK(keys_of(json.json().at(0)) == "id ok");
  CHECK(keys_of(json.json().at(1)) == "id ok error code");
}

TEST_CASE("KanbanMd.DeletingWarnsOfWhatIsLeft") {
  KanbanBoard cli;
  cli({"edit", "1", "--add-dep", "2"});
  cli({"create", "Child", "--parent", "2"});
  auto const gone = cli({"delete", "2", "--yes"});
  CHECK(gone.out == "Deleted task #2: Second\n");
  CHECK(gone.err.contains("#1 depends on this task (#2)"));
  CHECK(gone.err.contains("#4 has this task (#2) as its parent"));
}

TEST_CASE("KanbanMd.ViewsHaveItsColumns") {
  KanbanBoard cli;
  CHECK(cli({"log"}).out.starts_with("TIMESTAMP"));
  CHECK(cli({"log", "--action", "nonsense"}).err == "No activity log entries found.\n");
  CHECK(cli({"log", "--action", "nonsense", "--json"}).out == "[]\n");
  CHECK(cli({"metrics", "--compact"})
            .out.starts_with("Throughput: 0/7d 0/30d | Lead: -- | Cycle: -- | Efficiency: --"));
  CHECK(cli({"show", "3", "--compact"})
            .out.starts_with("#3 [in-progress/medium] Third @agent-1\n  created:20"));
  CHECK(cli({"list", "--sort", "nonsense", "-r", "--compact"}).out.starts_with("#3 "));
  auto const board = cli({"board", "--json"}).json();
  CHECK(keys_of(board) == "board_name total_tasks statuses priorities classes");
  CHECK(keys_of(board.at("statuses").at(0)) == "status count blocked overdue");
}

TEST_CASE("KanbanMd.IsItsNameWhenCalledByIt") {
  KanbanBoard cli;
  cli.program = "kanban-md";
  CHECK(cli({"--version"}).out == "kanban-md version dev\n");
  CHECK(cli({}).code == 0);
  CHECK(cli({}).out.contains("kanban-md COMMAND [flags]"));
  CHECK(cli({"move", "--help"}).out.contains("kanban-md move ID"));
  CHECK(cli({"completion", "bash"}).out.contains("complete -o default -F _kanban-md kanban-md"));
}

TEST_CASE("KanbanMd.KnowsNoVariablesOfAndons") {
  KanbanBoard cli;
  cli.variables["ANDON_OUTPUT"] = "json";
  CHECK(cli({"list"}).out.starts_with("["));
  cli.program = "kanban-md";
  std::filesystem::create_directories(cli.project() / "kanban");
  std::ofstream{cli.project() / "kanban/config.yml"} << "version: 11\nstatuses: [a, b]\n";
  CHECK(cli({"list"}).out.starts_with("ID "));
  cli.variables["KANBAN_OUTPUT"] = "oneline";
  CHECK(cli({"list"}).out.starts_with("#1 "));
}

TEST_CASE("KanbanMd.AReleaseHintsAtStaleSkills") {
  KanbanBoard cli;
  cli({"skill", "install", "--agent", "claude"});
  CHECK(cli({"list"}).err.empty());
  cli.version = "1.0.0";
  CHECK(cli({"list"}).err ==
        "hint: the kanban-md skill is outdated (dev -> 1.0.0), run: andon skill update\n");
  cli({"skill", "update"});
  CHECK(cli({"list"}).err.empty());
}

TEST_CASE("KanbanMd.WatchingDrawsTheBoardOnlyWhenItChanged") {
  KanbanBoard cli;
  int looks = 0;
  cli.pause = [&](std::chrono::milliseconds) {
    auto const pause = std::exchange(cli.pause, nullptr);
    if (++looks == 2) cli({"create", "More"});
    cli.pause = pause;
    return looks < 4;
  };
  auto const drawn = cli({"board", "--watch", "--compact"});
  CHECK(looks == 4);
  CHECK(drawn.out.contains("shop (3 tasks)"));
  CHECK(drawn.out.contains("shop (4 tasks)"));
  CHECK(std::ranges::count(drawn.out, '(') < 12);
}

TEST_CASE("KanbanMd.CompletesInEveryShell") {
  Cli cli;
  for (auto const* shell : {"bash", "zsh", "fish", "powershell"}) {
    auto const script = cli({"completion", shell}).out;
    CHECK(script.contains("handoff"));
    CHECK(script.contains("group-by"));
    CHECK(script.contains("andon"));
  }
}

TEST_CASE("KanbanMd.AFullTargetIsToldWithItsLimit") {
  KanbanBoard cli;
  cli({"boards", "edit", "shop", "--wip-limits", "in-progress=1"});
  auto const refused = cli({"pick", "--claim", "a", "--status", "todo", "--move", "in-progress", "--json"});
  CHECK(refused.code == 1);
  CHECK(refused.json().at("code") == "WIP_LIMIT_EXCEEDED");
  CHECK(keys_of(refused.json().at("details")) == "status limit current");
  auto const moved = cli({"move", "2", "in-progress", "--claim", "a", "--json"}).json();
  CHECK(keys_of(moved.at("details")) == "status limit current");
  cli({"create", "Urgent", "--class", "expedite"});
  auto const second = cli({"create", "More", "--class", "expedite", "--json"}).json();
  CHECK(second.at("code") == "CLASS_WIP_EXCEEDED");
  CHECK(second.at("error") == "expedite WIP limit reached (1/1 board-wide)");
  CHECK(keys_of(second.at("details")) == "class limit current");
}
