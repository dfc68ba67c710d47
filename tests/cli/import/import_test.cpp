#include <filesystem>
#include <fstream>

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"

using namespace andon;
using test::Cli;
namespace fs = std::filesystem;

namespace {

void write_import_file(fs::path const& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << text;
}

boost::json::object shown(Cli& cli, std::string_view id) {
  return cli({"show", std::string{id}, "--json"}).json().as_object();
}

std::size_t tasks_of(Cli& cli) { return cli({"list", "--json"}).json().as_array().size(); }

}  // namespace

TEST_CASE("Import.TakesOurOwnListOfTasks") {
  Cli cli;
  cli.with_board("shop").with_task("First").with_task("Second");
  cli({"edit", "2", "--add-dep", "1", "--priority", "high", "--add-tag", "api", "--body", "Two\nlines\n"});
  auto const list = cli({"list", "--json"}).out;
  cli({"boards", "create", "other", "--template", "flow"});
  auto const done = cli({"import", "-", "--board", "other", "--json"}, list).json().as_object();
  CHECK(done.at("format") == "json");
  CHECK(done.at("notes").as_array().empty());
  CHECK(done.at("imported").as_array().size() == 2);
  auto const copy = shown(cli, "4");
  CHECK(copy.at("title") == "Second");
  CHECK(copy.at("depends_on") == boost::json::array{3});
  CHECK(copy.at("priority") == "high");
  CHECK(copy.at("tags") == boost::json::array{"api"});
  CHECK(copy.at("source") == "import");
  CHECK(copy.at("created") == shown(cli, "2").at("created"));
}

TEST_CASE("Import.KnowsATaskByEachOfItsNames") {
  Cli cli;
  cli.with_board("shop");
  cli({"boards", "edit", "shop", "--prefix", "WQ"});
  cli({"create", "First"});
  cli({"create", "Second", "--depends-on", "1", "--parent", "1"});
  cli({"edit", "1", "--autocomplete"});
  auto const list = cli({"list", "--json"}).out;
  cli({"boards", "create", "other", "--template", "flow"});
  auto const done = cli({"import", "-", "--board", "other", "--json"}, list);
  CHECK(done.json().at("notes").as_array().empty());
  CHECK(shown(cli, "3").at("autocomplete") == true);
  CHECK(shown(cli, "4").at("depends_on") == boost::json::array{3});
  CHECK(shown(cli, "4").at("parent") == 3);
  cli({"import", "-", "--board", "other"},
      "Issue key,Issue id,Summary,Parent id,Blocked by\nA-1,100,First,,\nA-2,101,Second,100,A-1\n");
  CHECK(shown(cli, "6").at("depends_on") == boost::json::array{5});
  CHECK(shown(cli, "6").at("parent") == 5);
}

TEST_CASE("Import.LosesNothingOfATableThatSaysAThingTwice") {
  Cli cli;
  cli.with_board("shop");
  auto const done = cli({"import", "-", "--json"},
                        "ID,Title,Summary,Description,Notes,Label,Label,Blocked by,Blocked by,Blocked\n"
                        "1,First,Other,Brief,And more,api,web,,,TRUE\n2,Second,Second,,,,,,,\n"
                        "3,Third,,,,,,1,2,FALSE\n");
  CHECK_MESSAGE(done.code == 0, done.out);
  CHECK(boost::json::serialize(done.json().at("notes")) ==
        R"([{"place":"standard input:2","says":"\"Summary\" says something else of the title; left out"}])");
  auto const first = shown(cli, "1");
  CHECK(first.at("title") == "First");
  CHECK(first.at("body") == "Brief\n\nAnd more");
  CHECK(first.at("tags") == boost::json::array{"api", "web"});
  CHECK(first.at("blocked") == true);
  CHECK(shown(cli, "3").at("depends_on") == boost::json::array{1, 2});
}

TEST_CASE("Import.MakesATaskAsOldAsItsHistory") {
  Cli cli;
  cli.with_board("shop");
  cli({"import", "-"}, "Title,Status,Started,Completed\nOld,done,2026-01-02,2026-01-05\n");
  CHECK(shown(cli, "1").at("created") == "2026-01-02T00:00:00.000Z");
}

TEST_CASE("Import.TakesATableByItsHeaders") {
  Cli cli;
  cli.with_board("shop");
  auto const done =
      cli({"import", "-"},
          "Key,Summary,Status,Priority,Labels,Due Date,Blocked by,Description,Sprint\r\n"
          "A-1,First,To Do,high,\"api, web\",2030-01-31,,\"Two\nlines with \"\"quotes\"\"\",7\r\n"
          "A-2,Second,Shipped,urgent,,soon,A-1,,7\r\n"
          "\r\n"
          "A-3,,todo,,,,,,\r\n");
  CHECK_MESSAGE(done.code == 0, done.err);
  CHECK(done.out ==
        "Imported 2 tasks to shop (csv)\n"
        "\n"
        "FROM   ID   STATUS    TITLE\n"
        "a-1    1    todo      First\n"
        "a-2    2    backlog   Second\n"
        "\n"
        "Not taken over as it was:\n"
        "  standard input:2: \"Sprint\" has no place on a board; left out (here and in 1 more)\n"
        "  standard input:4: \"soon\" is no date (YYYY-MM-DD); left out\n"
        "  standard input:6: it has no title; left out\n"
        "  standard input:4: status \"Shipped\" is no column of shop; put into backlog\n"
        "  standard input:4: priority \"urgent\" is no priority of shop; made medium\n");
  auto const first = shown(cli, "1");
  CHECK(first.at("tags") == boost::json::array{"api", "web"});
  CHECK(first.at("due") == "2030-01-31");
  CHECK(first.at("body") == "Two\nlines with \"quotes\"");
  CHECK(shown(cli, "2").at("depends_on") == boost::json::array{1});
}

TEST_CASE("Import.RefusesATableThatIsNoneNamingTheLine") {
  Cli cli;
  cli.with_board("shop");
  struct Row {
    std::string_view text, says;
  };
  for (auto const& row :
       {Row{"title\nGood\n\"open", "standard input:3: a quoted cell is not closed"},
        Row{"title\na\"b\n", "standard input:2: a cell with a quote"},
        Row{"title\n\"a\"b\n", "standard input:2: after the closing quote"},
        Row{"title\na,b\n", "standard input:2: there are 2 cells, but 1 headers"},
        Row{"id,title\n1,a\n1,b\n", "standard input:3: the task \"1\" stands in standard input:2"},
        Row{"id,title,depends_on\n1,a,2\n2,b,1\n", "the tasks wait for each other: 1 -> 2 -> 1"},
        Row{"title\n\xff\n", "is not valid UTF-8"}, Row{"title\n", "holds no task"},
        Row{"[{\"title\":\"a\"}", "standard input: the text is not valid JSON"}}) {
    CAPTURE(row.text);
    auto const refused = cli({"import", "-"}, std::string{row.text});
    CHECK(refused.code == 1);
    CHECK_MESSAGE(refused.err.contains(row.says), refused.err);
  }
  CHECK(tasks_of(cli) == 0);
}

TEST_CASE("Import.TakesIssuesOfGitHubInBothShapes") {
  Cli cli;
  cli.with_board("shop");
  auto const done = cli({"import", "-", "--json"}, R"([
    {"number":12,"title":"Cart forgets","state":"OPEN","body":"It does.","labels":[{"name":"bug"}],
     "assignees":[{"login":"ann"},{"login":"bob"}],"milestone":{"title":"v2","dueOn":"2030-02-01T08:00:00Z"},
     "createdAt":"2026-01-01T10:00:00Z","url":"https://example.com/12","comments":[{"body":"me too"}]},
    {"number":13,"title":"Typo","state":"closed","created_at":"2026-01-01T10:00:00Z",
     "closed_at":"2026-01-02T10:00:00Z","html_url":"https://example.com/13"},
    {"number":14,"title":"Fix it","state":"open","pull_request":{}}])");
  CHECK_MESSAGE(done.code == 0, done.out);
  CHECK(done.json().at("format") == "github");
  CHECK(done.json().at("notes").as_array().size() == 3);
  auto const open = shown(cli, "1");
  CHECK(open.at("assignee") == "ann");
  CHECK(open.at("tags") == boost::json::array{"bug", "v2"});
  CHECK(open.at("due") == "2030-02-01");
  CHECK(open.at("body") == "It does.\n\nImported from https://example.com/12\n");
  auto const closed = shown(cli, "2");
  CHECK(closed.at("status") == "done");
  CHECK(closed.at("completed") == "2026-01-02T10:00:00.000Z");
}

TEST_CASE("Import.NamesUnknownStatesAndTakesThemForNoEnd") {
  for (auto const* state :
       {R"("MERGED")", R"("done")", R"("Closed?")", "1", "true", R"({"name":"closed"})"}) {
    CAPTURE(state);
    Cli cli;
    cli.with_board("shop");
    auto const done =
        cli({"import", "-", "--json"},
            R"([{"number":1,"title":"One","state":)" + std::string{state} +
                R"(,"url":"https://example.com/1","createdAt":"2026-01-01T10:00:00Z",)" + R"("labels":[]}])");
    CHECK_MESSAGE(done.code == 0, done.err);
    CHECK(done.json().at("format") == "github");
    CHECK(done.json().at("notes").as_array().size() == 1);
    CHECK(shown(cli, "1").at("status") != "done");
  }
  Cli cli;
  cli.with_board("shop");
  auto const done = cli({"import", "-", "--json"}, "title,status\nOne,no such column\n");
  CHECK_MESSAGE(done.code == 0, done.err);
  CHECK(done.json().at("notes").as_array().size() == 1);
  CHECK(shown(cli, "1").at("status") != "done");
}

TEST_CASE("Import.TakesAFolderOfKanbanMd") {
  Cli cli;
  cli.with_board("shop");
  auto const board = cli.project() / "old/kanban";
  write_import_file(board / "config.yml",
                    "version: 11\nboard:\n    name: Old\ntasks_dir: tasks\nstatuses:\n    - name: backlog\n"
                    "    - name: todo\n    - name: shipping\n    - name: shipped\n    - name: archived\n");
  write_import_file(
      board / "tasks/001-first.md",
      "---\nid: 1\ntitle: First\nstatus: shipped\npriority: high\ncreated: 2026-01-01T10:00:00Z\n"
      "updated: 2026-01-02T10:00:00Z\ncompleted: 2026-01-02T10:00:00Z\ntags:\n    - api\n---\n\nDone it.\n");
  write_import_file(
      board / "tasks/002-second.md",
      "---\nid: 2\ntitle: 'Second: the sequel'\nstatus: todo\npriority: low\ncreated: "
      "2026-01-01T10:00:00+02:00\n"
      "updated: 2026-01-01T10:00:00Z\nparent: 1\ndepends_on:\n    - 1\nblocked: true\nblock_reason: no key\n"
      "claimed_by: agent-1\nclaimed_at: 2026-01-01T10:00:00Z\n---\n");
  write_import_file(board / "tasks/003-gone.md", "---\nid: 3\ntitle: Gone\nstatus: archived\n---\n");
  write_import_file(board / "tasks/README.md", "# Tasks\n");
  auto const done = cli({"import", "old", "--json"});
  CHECK_MESSAGE(done.code == 0, done.out);
  CHECK(done.json().at("format") == "kanban-md");
  auto const notes = boost::json::serialize(done.json().at("notes"));
  CHECK(notes.contains("the claim of \\\"agent-1\\\" is not taken over"));
  CHECK(notes.contains("003-gone.md"));
  CHECK(notes.contains("README.md"));
  CHECK(notes.contains("put into done"));
  auto const first = shown(cli, "1");
  CHECK(first.at("status") == "done");
  CHECK(first.at("body") == "Done it.\n");
  auto const second = shown(cli, "2");
  CHECK(second.at("title") == "Second: the sequel");
  CHECK(second.at("parent") == 1);
  CHECK(second.at("block_reason") == "no key");
}

TEST_CASE("Import.TakesAFolderOfBacklogMd") {
  Cli cli;
  cli.with_board("shop");
  auto const board = cli.project() / "backlog";
  write_import_file(board / "config.yml",
                    "project_name: \"Old\"\nstatuses: [\"To Do\", \"In Progress\", \"Done\"]\n");
  write_import_file(
      board / "tasks/task-1 - First.md",
      "---\nid: task-1\ntitle: First\nstatus: To Do\nassignee:\n  - '@ann'\ncreated_date: '2026-01-01 "
      "10:30'\n"
      "labels: [api]\ndependencies: []\npriority: high\nordinal: 1000\n---\n\n## Description\n\nText.\n");
  write_import_file(
      board / "tasks/task-2 - Second.md",
      "---\nid: TASK-2\ntitle: Second\nstatus: In Progress\nassignee: []\nlabels: []\ndependencies: "
      "[task-1]\n"
      "parent_task_id: task-1\n---\n");
  write_import_file(board / "completed/task-3 - Third.md",
                    "---\nid: task-3\ntitle: Third\nstatus: Done\n---\n");
  auto const done = cli({"import", "backlog", "--json"});
  CHECK_MESSAGE(done.code == 0, done.out);
  CHECK(done.json().at("format") == "backlog");
  CHECK(done.json().at("notes").as_array().empty());
  auto const first = shown(cli, "1");
  CHECK(first.at("assignee") == "ann");
  CHECK(first.at("created") == "2026-01-01T10:30:00.000Z");
  CHECK(shown(cli, "2").at("depends_on") == boost::json::array{1});
  CHECK(shown(cli, "2").at("status") == "in-progress");
  CHECK(shown(cli, "3").at("status") == "done");
}

TEST_CASE("Import.RefusesFrontMatterThatHidesOrGrowsNamingTheLine") {
  Cli cli;
  cli.with_board("shop");
  auto const board = cli.project() / "old";
  write_import_file(board / "tasks/001-a.md", "---\nid: 1\ntitle: A\ntags: &t [a]\nstatus: *t\n---\n");
  auto const refused = cli({"import", "old"});
  CHECK(refused.code == 1);
  CHECK_MESSAGE(refused.err.contains("old/tasks/001-a.md:4:"), refused.err);
  CHECK(tasks_of(cli) == 0);
}

TEST_CASE("Import.RefusesASecondDocument") {
  Cli cli;
  cli.with_board("shop");
  write_import_file(cli.project() / "old/tasks/001-a.md", "---\nid: 1\n--- # more\ntitle: A\n---\n");
  auto const refused = cli({"import", "old"});
  CHECK(refused.code == 1);
  CHECK_MESSAGE(refused.err.contains("old/tasks/001-a.md:3:1: there is a second document"), refused.err);
  CHECK(tasks_of(cli) == 0);
}

TEST_CASE("Import.DryRunWritesNothingAndARefusalTakesAllBack") {
  Cli cli;
  cli({"boards", "create", "shop", "--statuses", "backlog,todo:1,done"});
  constexpr std::string_view kTwo = "title,status\nA,todo\nB,todo\n";
  auto const refused = cli({"import", "-"}, std::string{kTwo});
  CHECK(refused.err.contains("standard input:3: todo is full (1/1)"));
  CHECK(tasks_of(cli) == 0);
  CHECK(cli({"import", "-", "--dry-run", "--status", "backlog"}, std::string{kTwo})
            .out.ends_with("Nothing was written.\n"));
  CHECK(tasks_of(cli) == 0);
  CHECK(cli({"import", "-", "--status", "backlog"}, std::string{kTwo}).code == 0);
  CHECK(tasks_of(cli) == 2);
}

TEST_CASE("Import.FormatOverridesWhatTheContentLooksLike") {
  Cli cli;
  cli.with_board("shop");
  CHECK(cli({"import", "-", "--format", "json", "--json"}, R"([{"number":1,"title":"A"}])")
            .json()
            .at("format") == "json");
  CHECK(cli({"import", "-", "--format", "csv"}, R"([{"number":1,"title":"A"}])").code == 1);
  CHECK(cli({"import", "-", "--format", "xml"}, "a").err.contains("json, csv, github"));
}
