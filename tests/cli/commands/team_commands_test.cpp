#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using namespace andon;
using test::Cli;
namespace fs = std::filesystem;

namespace {

void write_team_file(fs::path const& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << text;
}

std::string read(fs::path const& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

constexpr std::string_view kTeam = R"(boards:
  - name: shop
    title: Web Shop
    template: queue
    columns:
      - {name: pending, stage: backlog}
      - {name: ready, stage: ready, wip_limit: 5}
      - {name: in_progress, stage: active}
      - {name: completed, stage: done}
workers:
  - name: coder
    role: coder
    agent: claude
    prompt: |
      Write code.
      Test it.
)";

}  // namespace

TEST_CASE("Apply.ShowsWhatItMakesAndTheSecondTimeHasNothingToDo") {
  Cli cli;
  write_team_file(cli.project() / "team.yml", kTeam);
  CHECK(cli({"apply", "team.yml", "--dry-run"}).out ==
        "+ board shop  Web Shop, template queue\n"
        "    pending, ready, in_progress, completed\n"
        "+ worker coder  agent claude\n"
        "\n"
        "Would create 2. Nothing was written.\n");
  CHECK(cli({"apply", "team.yml"}).out.ends_with("\n2 created.\n"));
  CHECK(cli({"apply", "team.yml"}).out == "Nothing to change.\n");
}

TEST_CASE("Apply.ShowsFieldsThatDifferFromWhatToWhat") {
  Cli cli;
  cli({"apply", "-"}, std::string{kTeam});
  CHECK(cli({"apply", "-"}, R"(
boards:
  - name: shop
    max_concurrent: 5
    columns:
      - {name: pending, stage: backlog}
      - {name: ready, stage: ready, wip_limit: 8}
      - {name: completed, stage: done}
workers:
  - {name: coder, model: opus, prompt: Write code.}
)")
            .out ==
        "~ board shop\n"
        "    max_concurrent           3 -> 5\n"
        "    columns/ready/wip_limit  5 -> 8\n"
        "    columns/in_progress      gone: stage active\n"
        "~ worker coder\n"
        "    prompt  (2 lines) -> Write code.\n"
        "    model   new: opus\n"
        "\n"
        "2 changed.\n");
}

TEST_CASE("Apply.NamesFileLineAndColumnOfWhatIsWrong") {
  Cli cli;
  struct Row {
    std::string_view text, says;
  };
  for (auto const& row :
       {Row{"boards:\n  - name: shop\n    colums: []\n",
            "team.yml:3:5: there is no field \"boards/0/colums\""},
        Row{"boards:\n  - name: shop\n    columns:\n      - {name: a, stage: nowhere}\n",
            "team.yml:4:19: \"boards/0/columns/0/stage\" must be one of"},
        Row{"workers:\n  - name: coder\n    capacity: lots\n",
            "team.yml:3:5: \"workers/0/capacity\" must be a whole number, not a text"},
        Row{"workers:\n  - name: coder\n    capacity: 900\n",
            "team.yml:3:5: \"capacity\" must be from 1 to 100"},
        Row{"workers:\n  - role: coder\n", "team.yml:2:5: \"workers/0/name\" is missing"},
        Row{"workers:\n  - name: a\n  - name: a\n", "team.yml:3:5: \"a\" stands twice in \"workers\""},
        Row{"worker: []\n", "team.yml:1:1: there is no section \"worker\""},
        Row{"workers: coder\n", "team.yml:1:1: \"workers\" must be a list"},
        Row{"- a\n", "team.yml:1:1: a team is made of sections"},
        Row{"workers: [\n", "team.yml:1:10: the bracket is never closed"},
        Row{"workers: &all []\n", "team.yml:1:10: an anchor is not allowed"}}) {
    CAPTURE(row.text);
    write_team_file(cli.project() / "team.yml", row.text);
    auto const refused = cli({"apply", "team.yml"});
    CHECK(refused.code == 1);
    CHECK_MESSAGE(refused.err.contains(row.says), refused.err);
  }
  CHECK(cli({"apply", "nowhere.yml"}).code == 1);
  CHECK(cli({"workers", "list", "--json"}).out == "[]\n");
}

TEST_CASE("Apply.RefusesASecondDocument") {
  Cli cli;
  for (auto const* mark : {"---\n", "...\n---\n", "--- # more\n"}) {
    CAPTURE(mark);
    write_team_file(cli.project() / "team.yml", std::string{kTeam} + mark + "boards:\n  - name: other\n");
    auto const said = cli({"apply", "team.yml"});
    CHECK(said.code != 0);
    CHECK(said.err.contains("team.yml"));
    CHECK(said.err.contains("document"));
    CHECK(cli({"boards", "--oneline"}).out.find("shop") == std::string::npos);
  }
}

TEST_CASE("Apply.TakesAFolderWithItsRoleDocuments") {
  Cli cli;
  write_team_file(cli.project() / "team/boards.yml", "boards:\n  - name: shop\n");
  write_team_file(cli.project() / "team/workers.yml",
                  "workers:\n  - {name: coder, agent: claude, prompt_file: roles/coder.md}\n"
                  "  - {name: coder-2, agent: claude, prompt_file: coder.md}\n");
  write_team_file(cli.project() / "team/roles/coder.md", "# Coder\n");
  CHECK(cli({"apply", "team", "--dry-run"}).out.contains("+ role document coder.md\n"));
  auto const stored = cli.project() / ".andon/roles/coder.md";
  CHECK(!fs::exists(stored));
  CHECK(cli({"apply", "team"}).out.ends_with("\n4 created.\n"));
  CHECK(read(stored) == "# Coder\n");
  CHECK(cli({"apply", "team"}).out == "Nothing to change.\n");
  write_team_file(cli.project() / "team/roles/coder.md", "# Coder\n\nWrites code.\n");
  CHECK(cli({"apply", "team"}).out ==
        "~ role document coder.md\n    text  1 line -> 3 lines\n\n1 changed.\n");
}

TEST_CASE("Apply.ARefusedTeamBringsNoRoleDocument") {
  Cli cli;
  write_team_file(
      cli.project() / "team/team.yml",
      "workers:\n  - {name: coder, prompt_file: roles/coder.md}\n  - {name: qa, colour: plaid}\n");
  write_team_file(cli.project() / "team/roles/coder.md", "# Coder\n");
  CHECK(cli({"apply", "team"}).err.contains("team/team.yml:3:"));
  CHECK(!fs::exists(cli.project() / ".andon/roles"));
}

TEST_CASE("Apply.ALinkIsNoRoleDocument") {
  Cli cli;
  write_team_file(cli.project() / "secret", "secret\n");
  write_team_file(cli.project() / "team/team.yml",
                  "workers:\n  - {name: coder, prompt_file: roles/coder.md}\n");
  fs::create_directories(cli.project() / "team/roles");
  fs::create_symlink("../../secret", cli.project() / "team/roles/coder.md");
  CHECK(cli({"apply", "team"}).code == 0);
  CHECK(!fs::exists(cli.project() / ".andon/roles/coder.md"));
}

TEST_CASE("Apply.PruneRemovesAndSaysWhatStays") {
  Cli cli;
  cli.with_board("old").with_task("Still here");
  cli({"boards", "create", "empty"});
  cli({"workers", "add", "idle", "--agent", "claude"});
  cli({"apply", "-"}, std::string{kTeam});
  CHECK(cli({"apply", "-", "--prune"}, std::string{kTeam}).out ==
        "- worker idle\n"
        "= board old stays: it has a task\n"
        "- board empty\n"
        "\n"
        "2 removed, 1 kept.\n");
}

TEST_CASE("Export.IsWhatApplyTakes") {
  Cli cli;
  cli({"apply", "-"}, std::string{kTeam});
  auto const exported = cli({"export"}).out;
  CHECK(exported.starts_with(
      "# A team for: andon apply FILE\n\nboards:\n  - name: shop\n    template: queue\n"));
  CHECK(exported.contains("      - {name: ready, stage: ready, wip_limit: 5}\n"));
  CHECK(exported.contains("    prompt: |\n      Write code.\n      Test it.\n"));
  CHECK(cli({"apply", "-"}, exported).out == "Nothing to change.\n");
  Cli other;
  other({"apply", "-"}, exported);
  CHECK(other({"export"}).out == exported);
}

TEST_CASE("Export.WritesAFolderWithTheRoleDocuments") {
  Cli cli;
  write_team_file(cli.project() / "team/team.yml",
                  "workers:\n  - {name: coder, prompt_file: roles/coder.md}\n");
  write_team_file(cli.project() / "team/roles/coder.md", "# Coder\n");
  cli({"apply", "team"});
  CHECK(cli({"export", "copy"}).code == 0);
  CHECK(read(cli.project() / "copy/roles/coder.md") == "# Coder\n");
  CHECK(cli({"apply", "copy"}).out == "Nothing to change.\n");
  CHECK(cli({"export", "copy"}).err.contains("--force"));
  CHECK(cli({"export", "copy", "--force"}).code == 0);
}
