#include <algorithm>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "core/boards/templates.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/settings_migration.hpp"

using namespace andon;
using namespace andon::store::markdown;

namespace {

SettingsFile settings_of(std::string text) {
  auto file = SettingsFile::parse(std::move(text), "config.yml");
  REQUIRE_MESSAGE(file, (file ? "" : file.error().message));
  return *std::move(file);
}

std::string fixture(int version) {
  std::ifstream file{std::string{ANDON_FIXTURES} + "/formats/v" + std::to_string(version) + "/config.yml"};
  std::ostringstream out;
  out << file.rdbuf();
  REQUIRE_FALSE(out.str().empty());
  return out.str();
}

core::Board flow_board() {
  auto board = *core::board_from_template("flow");
  board.name = "my-board";
  board.title = "My Board";
  return board;
}

std::string refusal(SettingsFile const& file) {
  auto const checked = check_settings(file);
  return checked ? "" : checked.error().message;
}

}  // namespace

TEST_CASE("Settings.OfEveryOlderVersionAreBroughtUpToDate") {
  for (int version = 1; version <= 10; ++version) {
    CAPTURE(version);
    auto file = settings_of(fixture(version));
    auto const migrated = migrate(file);
    REQUIRE_MESSAGE(migrated, (migrated ? "" : migrated.error().message));
    CHECK(*migrated);
    CAPTURE(file.text());
    CHECK(refusal(file) == "");
    CHECK(file.word({"version"}) == "11");
    CHECK(file.word({"x_own"}) == "kept");
    CHECK(file.text().contains("# by whom?"));
    CHECK(file.text().starts_with("# Board of the fleet team"));
    CHECK(file.word({"tui", "title_lines"}) == "2");
    auto const board = board_in(file);
    CHECK(board.name == "fleet");
    CHECK(board.columns.size() == 5);
    CHECK(board.columns.back().stage == core::Stage::archived);
    CHECK(board.columns[3].stage == core::Stage::done);
    CHECK(board.columns[2].require_claim == (version >= 8));
    CHECK(board.columns[2].wip_limit == (version >= 2 ? 2 : 0));
    CHECK(board.default_class == "standard");
    CHECK(board.claim_timeout == (version >= 3 ? std::chrono::minutes{30} : std::chrono::minutes{60}));
    CHECK(file.word({"statuses", "0", "show_duration"}) == "false");
    CHECK_FALSE(*migrate(file));
  }
}

TEST_CASE("Settings.OfOtherVersionsAreRefused") {
  for (auto const* version : {"0", "12", "-1", "x", ""}) {
    auto file = settings_of("version: " + std::string{version} + "\n");
    auto const migrated = migrate(file);
    REQUIRE_FALSE(migrated);
    CHECK(migrated.error().message.starts_with("invalid config"));
  }
}

TEST_CASE("Settings.OfANewBoardAreThoseOfKanbanMd") {
  auto const file = new_settings(flow_board());
  CHECK(refusal(file) == "");
  CHECK(
      file.text().starts_with("version: 11\nboard:\n    name: My Board\ntasks_dir: tasks\nstatuses:\n"
                              "    - name: backlog\n      show_duration: false\n    - name: todo\n"
                              "    - name: in-progress\n      require_claim: true\n"));
  CHECK(
      file.text().contains("claim_timeout: 1h\nclasses:\n    - name: expedite\n      wip_limit: 1\n"
                           "      bypass_column_wip: true\n    - name: fixed-date\n"));
  CHECK(file.text().ends_with("next_id: 1\n"));
  CHECK_FALSE(file.text().contains("stage:"));
  CHECK_FALSE(file.text().contains("andon:"));
}

TEST_CASE("Settings.AreReadBackAsTheyWereWritten") {
  for (auto const* name : {"flow", "classic", "queue"}) {
    CAPTURE(name);
    auto board = *core::board_from_template(name);
    board.name = "b";
    board.columns[1].wip_limit = 3;
    auto const read = board_in(new_settings(board));
    CHECK(read.template_ == board.template_);
    CHECK(read.workflow == board.workflow);
    CHECK(read.review_by == board.review_by);
    CHECK(read.chains.size() == board.chains.size());
    CHECK(read.priorities == board.priorities);
    REQUIRE(read.columns.size() == board.columns.size());
    for (std::size_t i = 0; i < read.columns.size(); ++i) {
      CHECK(read.columns[i].stage == board.columns[i].stage);
      CHECK(read.columns[i].wip_limit == board.columns[i].wip_limit);
      CHECK(read.columns[i].require_claim == board.columns[i].require_claim);
    }
  }
}

TEST_CASE("Settings.KeepATextForTheReviewerThatMeansNothing") {
  auto file = new_settings(flow_board());
  file.set_lines("andon", "andon:\n    review_by: anybody\n    max_concurrent: 2\n");
  auto const read = board_in(file);
  CHECK(read.review_by.kind == core::Reviewer::unknown);
  CHECK(read.max_concurrent == 2);
  auto changed = read;
  changed.max_concurrent = 3;
  write_board(file, read, changed);
  CHECK(file.text().contains("review_by: anybody\n"));
}

TEST_CASE("Settings.KeepCommentsAndUnknownKeys") {
  auto file = settings_of(fixture(10));
  REQUIRE(migrate(file));
  auto const before = file.text();
  auto board = board_in(file);
  auto const was = board;
  board.default_status = "todo";
  board.columns[2].require_claim = false;
  board.columns[1].wip_limit = 7;
  write_board(file, was, board);
  auto expected = before;
  auto const change = [&](std::string_view from, std::string_view to) {
    auto const at = expected.find(from);
    REQUIRE(at != std::string::npos);
    expected.replace(at, from.size(), to);
  };
  change("    status: backlog\n", "    status: todo\n");
  change("      require_claim: true\n", "");
  change("    in-progress: 2\n", "    in-progress: 2\n    todo: 7\n");
  CHECK(file.text() == expected);
}

TEST_CASE("Settings.ThatCannotBeAreRefused") {
  auto const base = fixture(10);
  auto const with = [&](std::string_view from, std::string_view to) {
    auto text = base;
    text.replace(text.find(from), from.size(), to);
    auto file = settings_of(text);
    REQUIRE(migrate(file));
    return refusal(file);
  };
  CHECK(with("status: backlog", "status: nowhere") == "invalid config: invalid default status \"nowhere\"");
  CHECK(with("priority: medium", "priority: nope").starts_with("invalid config: invalid default priority"));
  CHECK(with("claim_timeout: 30m", "claim_timeout: 2d").contains("invalid claim_timeout"));
  CHECK(with("title_lines: 2", "title_lines: 4").contains("title_lines"));
  CHECK(with("require_claim: true", "require_claim: maybe").contains("require_claim must be true or false"));
  CHECK(with("show_duration: false", "show_duration: never").contains("show_duration"));
  CHECK(with("bypass_column_wip: true", "bypass_column_wip: 1").contains("bypass_column_wip"));
  CHECK(with("require_claim: true", "require_claim: null") == "");
  CHECK(with("in-progress: 2", "elsewhere: 2").contains("unknown status"));
  CHECK(with("name: todo", "name: backlog").starts_with("invalid config"));
  CHECK(with("next_id: 4", "next_id: 0").contains("next_id"));
  CHECK(with("tasks_dir: tasks", "tasks_dir: \"\"").contains("tasks_dir"));
}

TEST_CASE("Settings.InBracketsStayInBrackets") {
  auto file = settings_of(R"(version: 11
board: {name: demo, extra: [1, 2], meta: {x: "a: b"}} # why
tasks_dir: tasks
statuses:
  - {name: todo}
  - {name: doing, color: "a, b"}
  - done
priorities: [low, 'high']
defaults: {status: todo, priority: low, note: "x: y"}
tui: {title_lines: 1, age_thresholds: [{after: 0s, color: "1"}]}
next_id: 1
)");
  auto const was = board_in(file);
  auto is = was;
  is.description = "one, two";
  is.priorities = {"low", "mid", "high"};
  is.columns[1].require_claim = true;
  is.columns[2].show_duration = false;
  is.tui->title_lines = 3;
  is.tui->narrow_threshold = 9;
  is.default_class = "";
  write_board(file, was, is);
  CHECK(file.text() == R"(version: 11
board: {name: demo, extra: [1, 2], meta: {x: "a: b"}, description: 'one, two'} # why
tasks_dir: tasks
statuses:
  - {name: todo}
  - {name: doing, color: "a, b", require_claim: true}
  - name: done
    show_duration: false
priorities: [low, mid, 'high']
defaults: {status: todo, priority: low, note: "x: y"}
tui: {title_lines: 3, age_thresholds: [{after: 0s, color: "1"}], narrow_threshold: 9}
next_id: 1
)");
  write_board(file, is, was);
  CHECK(file.text().contains("\nboard: {name: demo, extra: [1, 2], meta: {x: \"a: b\"}} # why\n"));
  CHECK(file.text().contains("\n  - {name: doing, color: \"a, b\"}\n"));
  CHECK(file.text().contains("\npriorities: [low, 'high']\n"));
}

TEST_CASE("Settings.OfOlderVersionsInBracketsAreBroughtUpToDate") {
  for (auto const* version : {"1", "5", "6", "7"}) {
    auto file = settings_of("version: " + std::string{version} + R"(
board: {name: demo}
tasks_dir: tasks
statuses: [{name: backlog}, "do: ing", {name: done}]
priorities: [low, high]
defaults: {status: backlog, priority: low}
next_id: 1
)");
    REQUIRE(migrate(file));
    CAPTURE(file.text());
    CHECK(refusal(file) == "");
    CHECK(file.word({"statuses", "0", "show_duration"}) == "false");
    CHECK(board_in(file).columns[1].name == "do: ing");
  }
}

TEST_CASE("Settings.ReplaceValuesOfSeveralLines") {
  for (std::string const description :
       {"|\n    some\n    # text\n", ">-\n    some\n\n    text\n\n", "\"some\n    text\"   # why\n",
        "some\n    text\n", "\n    some\n    text\n", "'it''s'\n", "# nothing yet\n"}) {
    CAPTURE(description);
    auto file =
        settings_of("board:\n  name: demo\n  description: " + description + "  other: 1\nstatuses: [a, b]\n");
    file.set_text({"board", "description"}, "new: text");
    CHECK(file.word({"board", "description"}) == "new: text");
    CHECK(file.word({"board", "other"}) == "1");
    CHECK_FALSE(file.text().contains("some"));
    file.set_text({"board", "description"}, "one\ntwo");
    CHECK(file.word({"board", "description"}) == "one\ntwo");
    file.remove({"board", "description"});
    CHECK_FALSE(file.text().contains("description"));
    CHECK(file.word({"board", "other"}) == "1");
  }
}

TEST_CASE("Settings.KeepWhatIsSaidOfThingsThatStay") {
  auto file = settings_of(R"(version: 11
board:
  name: demo
tasks_dir: tasks
statuses:
  - name: todo # first
    colour: red
  # between
  - name: doing
    x: y
  -
    name: done
    z: |
      # text
priorities:
- low # lowest
- high
classes:
  - name: expedite # hurry
    note: now
    wip_limit: 1
  - name: standard
defaults:
  status: todo
  priority: low
andon:
  foo: bar # mine
  prefix: XX
next_id: 1
)");
  auto const first = board_in(file);
  auto was = first;
  was.columns[1].name = "working";
  write_board(file, first, was);
  auto is = was;
  is.columns.emplace(is.columns.begin() + 1)->name = "mid";
  std::swap(is.columns[0], is.columns[2]);
  is.priorities = {"low", "mid", "high"};
  is.classes[0].wip_limit = 2;
  is.max_concurrent = 3;
  is.default_status = "mid";
  write_board(file, was, is);
  CHECK(refusal(file) == "");
  CHECK(file.text().contains("statuses:\n  # between\n  - name: working\n    x: y\n"));
  CHECK(file.text().contains("  - name: mid\n"));
  CHECK(file.text().contains("  - name: todo # first\n    colour: red\n"));
  CHECK(file.text().contains(
      "  -\n    name: done\n    z: |\n      # text\npriorities:\n- low # lowest\n- mid\n- high\n"));
  CHECK(file.text().contains("  - name: expedite # hurry\n    note: now\n    wip_limit: 2\n"));
  CHECK(file.text().contains("andon:\n  foo: bar # mine\n  prefix: XX\n  max_concurrent: 3\n"));
  auto const now = board_in(file);
  CHECK(now.columns[0].name == "working");
  CHECK(now.columns[2].stage == is.columns[2].stage);
  is.max_concurrent = was.max_concurrent;
  is.prefix = was.prefix;
  write_board(file, now, is);
  CHECK(file.text().contains("andon:\n  foo: bar # mine\n  prefix: XX\nnext_id"));
}

TEST_CASE("Settings.InBracesTakeChangesOfWhatTheyHaveAndSaySoOfTheRest") {
  auto file = *SettingsFile::parse("{version: 11, board: {name: demo}, next_id: 1}", "config.yml");
  file.set({"next_id"}, "2");
  file.set_text({"board", "name"}, "new");
  CHECK(file.text() == "{version: 11, board: {name: new}, next_id: 2}\n");
  CHECK_THROWS_WITH_AS(file.set({"wip_limits", "todo"}, "3"), doctest::Contains("written in braces"),
                       store::StoreError);
  CHECK_THROWS_WITH_AS(file.set_lines("andon", "andon:\n    tui: x\n"),
                       doctest::Contains("written in braces"), store::StoreError);
}

TEST_CASE("Settings.KeepTheirLineEnds") {
  auto text = fixture(10);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
  auto file = settings_of(text);
  REQUIRE(migrate(file));
  auto const was = board_in(file);
  auto is = was;
  is.description = "For: all";
  is.max_concurrent = 3;
  is.priorities.push_back("more");
  std::swap(is.columns[1], is.columns[2]);
  write_board(file, was, is);
  CHECK(refusal(file) == "");
  CHECK(std::ranges::count(file.text(), '\n') == std::ranges::count(file.text(), '\r'));
}

TEST_CASE("Settings.TellOfAConflictOfGit") {
  auto const file = SettingsFile::parse(
      "version: 11\n<<<<<<< HEAD\nnext_id: 3\n=======\nnext_id: 4\n>>>>>>> other\n", "config.yml");
  REQUIRE_FALSE(file);
  CHECK(file.error().message == "config.yml:2:1: git's marks of a conflict stand here; resolve it first");
}

TEST_CASE("Settings.KeepHowATerminalShowsTheBoard") {
  auto file = new_settings(flow_board());
  auto const was = board_in(file);
  REQUIRE(was.tui);
  CHECK(was.tui->age_thresholds.size() == 5);
  CHECK(was.columns.front().show_duration == false);
  CHECK_FALSE(was.columns[1].show_duration);
  auto is = was;
  is.description = "For: all";
  is.tui->title_lines = 3;
  is.tui->hide_empty_columns = true;
  is.tui->narrow_threshold = 20;
  is.columns.front().show_duration = true;
  auto const before = file.text();
  write_board(file, was, is);
  auto const now = board_in(file);
  CHECK(now.description == "For: all");
  CHECK(now.tui->title_lines == 3);
  CHECK(now.tui->hide_empty_columns);
  CHECK(now.tui->narrow_threshold == 20);
  CHECK(now.columns.front().show_duration == true);
  CHECK(refusal(file) == "");
  write_board(file, now, was);
  CHECK(file.text() == before);
  is.tui->age_thresholds.resize(1);
  write_board(file, was, is);
  CHECK(board_in(file).tui->age_thresholds.size() == 1);
  CHECK(refusal(file) == "");
}
