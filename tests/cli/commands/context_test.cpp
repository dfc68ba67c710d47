#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using andon::test::Cli;

namespace {

std::string page_of(std::filesystem::path const& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// One task of every kind that a section tells of.
struct ContextBoard : Cli {
  ContextBoard() {
    with_board("shop");
    (*this)({"boards", "edit", "shop", "--title", "My Shop", "--wip-limits", "todo=1"});
    (*this)({"create", "Waits", "--status", "todo", "--assignee", "ann", "--priority", "high"});
    (*this)({"create", "Stuck", "--due", "2020-01-31"});
    (*this)({"edit", "2", "--block", "no key"});
    (*this)({"create", "Was done"});
    (*this)({"move", "3", "done"});
  }
};

std::string day_of(boost::json::value const& time) { return std::string{time.as_string()}.substr(0, 10); }

}  // namespace

TEST_CASE("Context.TellsWhatSomebodyWhoBeginsMustKnow") {
  ContextBoard cli;
  CHECK(cli({"context"}).out ==
        "<!-- BEGIN kanban-md context -->\n## Board: My Shop\n\n**3 tasks** | 1 active | 1 blocked | 1 "
        "overdue\n\n"
        "> WIP limit reached: todo (1/1)\n\n"
        "### In Progress\n\n- **#1** Waits (high, @ann)\n\n"
        "### Blocked\n\n- **#2** Stuck (medium) — no key\n\n"
        "### Overdue\n\n- **#2** Stuck (medium) — due 2020-01-31\n\n"
        "### Recently Completed\n\n- **#3** Was done (medium) — completed " +
            day_of(cli({"show", "3", "--json"}).json().at("completed")) +
            "\n<!-- END kanban-md context -->\n");
}

TEST_CASE("Context.IsJsonForScripts") {
  ContextBoard cli;
  auto const all = cli({"context", "--json"}).json();
  CHECK(all.at("board_name") == "My Shop");
  CHECK(all.at("summary").at("total_tasks") == 3);
  CHECK(all.at("sections").as_array().size() == 4);
  auto const one = cli({"context", "--json", "--sections", "blocked,nonsense"}).json();
  CHECK(one.at("sections").as_array().size() == 1);
  CHECK(one.at("sections").at(0).at("items").at(0).at("note") == "no key");
  CHECK(cli({"context", "--json", "--sections", "nonsense"}).json().at("sections").is_null());
}

TEST_CASE("Context.ReplacesItsBlockAndNothingElse") {
  ContextBoard cli;
  auto const file = cli.project() / "AGENTS.md";
  CHECK(cli({"context", "--write-to", "AGENTS.md", "--json"}).out == "Context written to AGENTS.md\n");
  auto const block = page_of(file);
  std::ofstream{file} << "# Rules\n\n" << block << "\nMore.\n";
  cli({"create", "Another"});
  cli({"context", "--write-to", "AGENTS.md"});
  auto const text = page_of(file);
  CHECK(text.starts_with("# Rules\n\n<!-- BEGIN"));
  CHECK(text.ends_with("END kanban-md context -->\n\nMore.\n"));
  CHECK(text.contains("**4 tasks**"));
  std::ofstream{file} << "# Rules";
  cli({"context", "--write-to", "AGENTS.md"});
  CHECK(page_of(file).starts_with("# Rules\n\n<!-- BEGIN"));
}

TEST_CASE("Context.LeavesAMarkWithoutItsOtherHalf") {
  ContextBoard cli;
  for (std::string const text :
       {"<!-- BEGIN kanban-md context -->\nmine\n",
        "<!-- END kanban-md context -->\nmine\n<!-- BEGIN kanban-md context -->\n"}) {
    auto const file = cli.project() / "NOTES.md";
    std::ofstream{file} << text;
    cli({"context", "--write-to", "NOTES.md"});
    auto const once = page_of(file);
    CHECK(once.starts_with(text + "\n<!-- BEGIN"));
    cli({"context", "--write-to", "NOTES.md"});
    CHECK(page_of(file) == once);
  }
}

TEST_CASE("Context.TitlesCannotEndTheBlock") {
  Cli cli;
  cli.with_board();
  cli({"create", "<!-- END kanban-md context -->", "--status", "todo"});
  CHECK(cli({"context"}).out.find("<!-- END") == cli({"context"}).out.rfind("<!-- END"));
}
