#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "cli/commands/desk.hpp"

using andon::test::Desk;

namespace {

std::string content_of(std::filesystem::path const& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// One task of every kind that a section tells of.
struct Board : Desk {
  Board() {
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
  Board desk;
  CHECK(desk({"context"}).out ==
        "<!-- BEGIN kanban-md context -->\n## Board: My Shop\n\n**3 tasks** | 1 active | 1 blocked | 1 "
        "overdue\n\n"
        "> WIP limit reached: todo (1/1)\n\n"
        "### In Progress\n\n- **#1** Waits (high, @ann)\n\n"
        "### Blocked\n\n- **#2** Stuck (medium) — no key\n\n"
        "### Overdue\n\n- **#2** Stuck (medium) — due 2020-01-31\n\n"
        "### Recently Completed\n\n- **#3** Was done (medium) — completed " +
            day_of(desk({"show", "3", "--json"}).json().at("completed")) +
            "\n<!-- END kanban-md context -->\n");
}

TEST_CASE("Context.IsJsonForScripts") {
  Board desk;
  auto const all = desk({"context", "--json"}).json();
  CHECK(all.at("board_name") == "My Shop");
  CHECK(all.at("summary").at("total_tasks") == 3);
  CHECK(all.at("sections").as_array().size() == 4);
  auto const one = desk({"context", "--json", "--sections", "blocked,nonsense"}).json();
  CHECK(one.at("sections").as_array().size() == 1);
  CHECK(one.at("sections").at(0).at("items").at(0).at("note") == "no key");
  CHECK(desk({"context", "--json", "--sections", "nonsense"}).json().at("sections").is_null());
}

TEST_CASE("Context.ReplacesItsBlockAndNothingElse") {
  Board desk;
  auto const file = desk.project() / "AGENTS.md";
  CHECK(desk({"context", "--write-to", "AGENTS.md", "--json"}).out == "Context written to AGENTS.md\n");
  auto const block = content_of(file);
  std::ofstream{file} << "# Rules\n\n" << block << "\nMore.\n";
  desk({"create", "Another"});
  desk({"context", "--write-to", "AGENTS.md"});
  auto const text = content_of(file);
  CHECK(text.starts_with("# Rules\n\n<!-- BEGIN"));
  CHECK(text.ends_with("END kanban-md context -->\n\nMore.\n"));
  CHECK(text.contains("**4 tasks**"));
  std::ofstream{file} << "# Rules";
  desk({"context", "--write-to", "AGENTS.md"});
  CHECK(content_of(file).starts_with("# Rules\n\n<!-- BEGIN"));
}

TEST_CASE("Context.LeavesAMarkWithoutItsOtherHalf") {
  Board desk;
  for (std::string const text :
       {"<!-- BEGIN kanban-md context -->\nmine\n",
        "<!-- END kanban-md context -->\nmine\n<!-- BEGIN kanban-md context -->\n"}) {
    auto const file = desk.project() / "NOTES.md";
    std::ofstream{file} << text;
    desk({"context", "--write-to", "NOTES.md"});
    auto const once = content_of(file);
    CHECK(once.starts_with(text + "\n<!-- BEGIN"));
    desk({"context", "--write-to", "NOTES.md"});
    CHECK(content_of(file) == once);
  }
}

TEST_CASE("Context.TitlesCannotEndTheBlock") {
  Desk desk;
  desk.with_board();
  desk({"create", "<!-- END kanban-md context -->", "--status", "todo"});
  CHECK(desk({"context"}).out.find("<!-- END") == desk({"context"}).out.rfind("<!-- END"));
}
