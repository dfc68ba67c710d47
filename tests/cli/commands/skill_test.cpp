#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;
namespace fs = std::filesystem;

namespace {

std::string content_of(fs::path const& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(fs::path const& file, std::string const& text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << text;
}

constexpr auto kVersionLine = "\n---\n<!-- kanban-md-skill-version: dev -->\n";

}  // namespace

TEST_CASE("Skill.InstallsForTheAgentsThatAreHere") {
  Cli cli;
  fs::create_directories(cli.project() / ".git");
  CHECK(cli({"skill", "install"}).out.starts_with("No agents selected"));
  fs::create_directories(cli.project() / ".claude");
  auto const done = cli({"skill", "install"});
  CHECK(
      done.out ==
      "  .claude/skills/kanban-md/SKILL.md (dev)\n  .claude/skills/kanban-based-development/SKILL.md (dev)\n"
      "Installed 2 skill(s).\n");
  auto const text = content_of(cli.project() / ".claude/skills/kanban-md/SKILL.md");
  CHECK(text.starts_with("---\nname: kanban-md\n"));
  CHECK(text.contains(kVersionLine));
  CHECK(fs::exists(cli.project() / ".claude/skills/kanban-md/references/json-schemas.md"));
  CHECK(cli({"skill", "install"}).out.ends_with("All skills are already up to date.\n"));
  CHECK(cli({"skill", "install", "--force"}).out.ends_with("Installed 2 skill(s).\n"));
}

TEST_CASE("Skill.KnowsTheFoldersOfEveryAgent") {
  Cli cli;
  fs::create_directories(cli.project() / ".git");
  cli({"skill", "install", "--agent", "claude,codex,cursor,openclaw", "--skill", "kanban-md"});
  fs::path const home = cli.variables["HOME"];
  for (auto const& folder : {cli.project() / ".claude/skills", cli.project() / ".agents/skills",
                             cli.project() / ".cursor/skills", home / ".openclaw/skills"})
    CHECK(fs::exists(folder / "kanban-md/SKILL.md"));
  cli({"skill", "install", "--agent", "codex", "--global"});
  CHECK(fs::exists(home / ".codex/skills/kanban-based-development/SKILL.md"));
  cli({"skill", "install", "--path", "elsewhere"});
  CHECK(fs::exists(cli.project() / "elsewhere/kanban-md/SKILL.md"));
}

TEST_CASE("Skill.UpdatesWhatIsOldAndLeavesAloneWhatIsNotOurs") {
  Cli cli;
  fs::create_directories(cli.project() / ".git");
  auto const folder = cli.project() / ".claude/skills";
  write(folder / "kanban-md/SKILL.md",
        "---\nname: kanban-md\n---\n<!-- kanban-md-skill-version: 0.1 -->\nOld.\n");
  write(folder / "kanban-based-development/SKILL.md", "Mine.\n");
  write(folder / "other/SKILL.md", "Other.\n");
  auto const old = cli({"skill", "check"});
  CHECK(old.code == 1);
  CHECK(old.out == "  ✗ Claude Code/kanban-md (0.1 -> dev)\nRun: andon skill update\n");
  CHECK(cli({"skill", "update"}).out ==
        "  .claude/skills/kanban-md/SKILL.md (0.1 -> dev)\nUpdated 1 skill(s).\n");
  CHECK(cli({"skill", "check"}).code == 0);
  CHECK(content_of(folder / "kanban-based-development/SKILL.md") == "Mine.\n");
  CHECK(content_of(folder / "other/SKILL.md") == "Other.\n");
}

TEST_CASE("Skill.IsWrittenThroughLinks") {
  Cli cli;
  fs::create_directories(cli.project() / ".git");
  auto const real = cli.project() / "shared.md";
  write(real, "Old.\n");
  fs::create_directories(cli.project() / ".claude/skills/kanban-md");
  fs::create_symlink("../../../shared.md", cli.project() / ".claude/skills/kanban-md/SKILL.md");
  cli({"skill", "install", "--agent", "claude"});
  CHECK(fs::is_symlink(cli.project() / ".claude/skills/kanban-md/SKILL.md"));
  CHECK(content_of(real).contains(kVersionLine));
}

TEST_CASE("Skill.ShowsItsTexts") {
  Cli cli;
  CHECK(cli({"skill", "show", "--skill", "kanban-md"}).out.starts_with("---\nname: kanban-md\n"));
  auto const both = cli({"skill", "show"}).out;
  CHECK(both.starts_with("=== kanban-md ===\n\n---\n"));
  CHECK(both.contains("=== kanban-based-development ===\n\n---\n"));
  CHECK(cli({"skill"}).out.contains("skill install"));
}
