#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "core/templates.hpp"
#include "store/markdown/board_settings.hpp"
#include "store/markdown/settings_migration.hpp"

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
  CHECK(with("in-progress: 2", "elsewhere: 2").contains("unknown status"));
  CHECK(with("name: todo", "name: backlog").starts_with("invalid config"));
  CHECK(with("next_id: 4", "next_id: 0").contains("next_id"));
  CHECK(with("tasks_dir: tasks", "tasks_dir: \"\"").contains("tasks_dir"));
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
