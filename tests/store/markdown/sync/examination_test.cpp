#include "store/contract/examination.hpp"

#include <unistd.h>

#include "os/files/file.hpp"
#include "store/markdown/files/directory.hpp"
#include "store/markdown/test_board.hpp"

using namespace andon;
using namespace andon::test;
using store::Finding;

namespace {

std::vector<Finding> look_at(TestBoard const& app) {
  return store::examine_board(app.path(""), at_minute(1));
}

std::string told(std::vector<Finding> const& findings, Finding::Kind kind) {
  std::string out;
  for (auto const& each : findings)
    if (each.kind == kind) out += each.about + ": " + each.text + "\n";
  return out;
}

std::string file_of(int id, std::string const& title) {
  return "---\nid: " + std::to_string(id) + "\ntitle: " + title + "\nstatus: todo\npriority: high\n---\n";
}

}  // namespace

TEST_CASE("Examination.FindsNothingWrongWithABoardInOrder") {
  TestBoard app;
  add_task(app.store());
  auto const findings = look_at(app);
  CHECK(told(findings, Finding::Kind::fault).empty());
  CHECK(told(findings, Finding::Kind::repair).empty());
  CHECK(told(findings, Finding::Kind::fact) == "tasks: 1 files, 1 tasks\nindex: is whole\n");
}

TEST_CASE("Examination.TellsRepairsWithoutDoingThem") {
  TestBoard app;
  add_task(app.store());
  app.write(app.task("001-twin.md"), file_of(1, "Twin"));
  app.write(app.task("wrong-name.md"), file_of(9, "Named wrongly"));
  os::write_file(app.path(".andon/intent"), "[]");
  CHECK(told(look_at(app), Finding::Kind::repair) ==
        "tasks/001-twin.md: becomes 010-twin.md, for another file has the number 1\n"
        "tasks/wrong-name.md: becomes 009-named-wrongly.md, for it is task #9\n"
        "config.yml: next_id is 2 and becomes 11\n"
        ".andon/intent: tells of a write that was not finished; it is finished, or undone\n");
  CHECK(std::filesystem::exists(app.task("wrong-name.md")));
  CHECK(std::filesystem::exists(app.path(".andon/intent")));
  app.seen_task(1);
  CHECK(app.warned_of("001-twin.md is now 010-twin.md"));
  CHECK(told(look_at(app), Finding::Kind::repair).empty());
}

TEST_CASE("Examination.LeavesTheNumberWithTheFileThatHadIt") {
  TestBoard app;
  add_task(app.store());
  app.write(app.task("001-a-twin.md"), file_of(1, "A twin"));
  CHECK(told(look_at(app), Finding::Kind::repair).starts_with("tasks/001-a-twin.md: becomes 002-a-twin.md"));
  app.seen_task(1);
  CHECK(app.warned_of("001-a-twin.md is now 002-a-twin.md"));
}

TEST_CASE("Examination.NamesThePlaceOfAFault") {
  TestBoard app;
  add_task(app.store());
  app.write(app.task("004-bad.md"), "---\nid: four\ntitle: x\nstatus: todo\n---\n");
  std::filesystem::create_symlink("/etc/passwd", app.task("005-link.md"));
  auto const faults = told(look_at(app), Finding::Kind::fault);
  CHECK(faults.contains("tasks/004-bad.md:2:5: expected a number from 1"));
  CHECK(faults.contains("tasks/005-link.md: is a link or no file"));
}

TEST_CASE("Examination.SeesADamagedIndexAndSettings") {
  TestBoard app;
  add_task(app.store());
  app.close();
  auto const index = std::filesystem::canonical(app.path(".andon/index.db")).native();
  for (auto const* end : {"", "-wal"})
    os::write_file(index + end, "not a database, but long enough to be read");
  CHECK(told(look_at(app), Finding::Kind::repair).contains("made anew from the files"));
  app.edit(app.path("config.yml"), "status: backlog", "status: nowhere");
  CHECK(told(look_at(app), Finding::Kind::fault).contains("invalid default status \"nowhere\""));
}

TEST_CASE("Examination.LooksAtADatabaseThatIsOpen") {
  Scratch scratch;
  auto const store = store::open_store("sqlite:" + (scratch / "andon.db").native());
  auto const findings = store::examine_database(scratch / "andon.db");
  CHECK(told(findings, Finding::Kind::fault).empty());
  CHECK(told(findings, Finding::Kind::fact).contains("owner: process " + std::to_string(::getpid())));
  CHECK(told(store::examine_database(scratch / "other.db"), Finding::Kind::fault) != "");
}

TEST_CASE("Examination.NamesColumnsThatTheBoardDoesNotHave") {
  TestBoard app;
  app.write(app.task("001-lost.md"), "---\nid: 1\ntitle: Lost\nstatus: nowhere\npriority: high\n---\n");
  app.write(app.task("002-away.md"), "---\nid: 2\ntitle: Away\nstatus: archived\npriority: high\n---\n");
  CHECK(told(look_at(app), Finding::Kind::fault) ==
        "tasks/001-lost.md: has the status \"nowhere\", which is no column of config.yml; give it one of "
        "them\n");
}

TEST_CASE("Examination.NamesTasksThatLeadBackToThemselves") {
  TestBoard app;
  auto const write = [&](int id, std::string const& links) {
    auto const name = "00" + std::to_string(id) + "-t.md";
    app.write(app.task(name), "---\nid: " + std::to_string(id) +
                                  "\ntitle: T\nstatus: todo\npriority: high\n" + links + "---\n");
  };
  write(1, "depends_on: [2, 9]\n");
  write(2, "depends_on: [3]\n");
  write(3, "depends_on: [1]\n");
  write(4, "parent: 5\n");
  write(5, "parent: 4\n");
  write(6, "depends_on: [1]\nparent: 3\n");
  CHECK(told(look_at(app), Finding::Kind::fault) ==
        "tasks/004-t.md: its \"parent\" leads back to it: #4 → #5 → #4; take one of them out\n"
        "tasks/001-t.md: its \"depends_on\" leads back to it: #1 → #2 → #3 → #1; take one of them out\n");
}

TEST_CASE("Examination.NamesAFileOnWhichTheProgramDiedAndDoesNotReadIt") {
  TestBoard app;
  add_task(app.store());
  auto const text = file_of(7, "Odd");
  app.write(app.task("007-odd.md"), text);
  std::string line(16, '0');
  auto digest = static_cast<std::uint64_t>(store::markdown::hash_of(text));
  for (auto digit = line.rbegin(); digit != line.rend(); ++digit, digest >>= 4U)
    *digit = "0123456789abcdef"[digest & 15U];
  os::write_file(app.path(".andon/left-out"), line + " 007-odd.md\n");
  CHECK(told(look_at(app), Finding::Kind::fault).empty());
  os::write_file(app.path(".andon/left-out"), line + " 007-odd.md\n" + line + " 007-odd.md\n");
  CHECK(told(look_at(app), Finding::Kind::fault) ==
        "tasks/007-odd.md: is left out, because the program ended twice while it read this file; change the "
        "file, "
        "or remove .andon/left-out and touch the file\n");
}

TEST_CASE("Examination.LooksAtTheBoardAlsoBesideAnOddListOfFilesLeftOut") {
  TestBoard app;
  add_task(app.store());
  auto const list = std::filesystem::path{app.path(".andon/left-out")};
  for (bool const is_link : {true, false}) {
    CAPTURE(is_link);
    std::filesystem::remove_all(list);
    if (is_link)
      std::filesystem::create_symlink("/etc/passwd", list);
    else
      std::filesystem::create_directory(list);
    auto const findings = look_at(app);
    CHECK(told(findings, Finding::Kind::fault).starts_with(".andon/left-out: "));
    CHECK(told(findings, Finding::Kind::fact).contains("tasks: 1 files, 1 tasks"));
  }
}
