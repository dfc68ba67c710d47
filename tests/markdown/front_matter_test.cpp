#include "store/markdown/front_matter.hpp"

#include <doctest/doctest.h>

#include "store/markdown/task_file.hpp"
#include "support/builders.hpp"

using namespace andon;
using namespace andon::store::markdown;
using namespace andon::test;

namespace {

constexpr std::string_view kFile =
    "---\n"
    "# a remark\n"
    "id: 3   # three\n"
    "title: 'It''s here'\n"
    "sprint: {number: 4, goal: \"go\"}\n"
    "status: todo\n"
    "priority: medium   # for now\n"
    "created: 2026-11-21T08:00:00.123456789+01:00\n"
    "updated: 2026-11-21T08:00:00Z\n"
    "tags: [a, 'b: c']\n"
    "depends_on:\n"
    "  - 1\n"
    "  # because\n"
    "  - 2\n"
    "note: |\n"
    "  # no comment\n"
    "  two lines\n"
    "\n"
    "---\n"
    "\n"
    "# Brief\n"
    "\n"
    "text  \n"
    "\n";

FrontMatter parsed(std::string_view text) {
  auto file = FrontMatter::parse(std::string{text}, "003-x.md");
  REQUIRE_MESSAGE(file, (file ? "" : file.error().message));
  return *std::move(file);
}

core::Task task_of(FrontMatter const& file) {
  auto task = task_in(file, a_board(), "003-x.md");
  REQUIRE_MESSAGE(task, (task ? "" : task.error().message));
  return *std::move(task);
}

std::string refusal(std::string_view text) {
  auto const file = FrontMatter::parse(std::string{text}, "f.md");
  if (!file) return file.error().message;
  auto const task = task_in(*file, a_board(), "f.md");
  return task ? "" : task.error().message;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  auto const at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The file after its task was changed.
template <class Change>
std::string changed(std::string_view text, Change const& change) {
  auto file = parsed(text);
  auto const was = task_of(file);
  auto is = was;
  change(is);
  write_task(file, was, is, Epoch::write);
  return file.text();
}

}  // namespace

TEST_CASE("FrontMatter.KeepsWhatNobodyChanges") {
  CHECK(parsed(kFile).text() == kFile);
  CHECK(changed(kFile, [](core::Task&) {}) == kFile);
}

TEST_CASE("FrontMatter.TellsTheTask") {
  auto const task = task_of(parsed(kFile));
  CHECK(task.id == 3);
  CHECK(task.title == "It's here");
  CHECK(task.tags == std::vector<std::string>{"a", "b: c"});
  CHECK(task.depends_on == std::vector<core::TaskId>{1, 2});
  CHECK(core::to_text(task.created) == "2026-11-21T07:00:00.123Z");
  CHECK(task.body == "# Brief\n\ntext  \n");
}

TEST_CASE("FrontMatter.ChangesOneValueOfOneLine") {
  CHECK(changed(kFile, [](auto& t) { t.priority = "high"; }) ==
        replaced(std::string{kFile}, "medium   # for now", "high   # for now"));
  CHECK(changed(kFile, [](auto& t) { t.tags.emplace_back("c"); }) ==
        replaced(std::string{kFile}, "[a, 'b: c']", "[a, 'b: c', c]"));
  CHECK(changed(kFile, [](auto& t) { t.tags.clear(); }) ==
        replaced(std::string{kFile}, "tags: [a, 'b: c']\n", ""));
  CHECK(changed(kFile, [](auto& t) { t.depends_on = {2, 7}; }) ==
        replaced(replaced(std::string{kFile}, "  - 1\n", ""), "  - 2\n", "  - 2\n  - 7\n"));
}

TEST_CASE("FrontMatter.PutsNewKeysBehindTheirNeighbours") {
  CHECK(changed(kFile, [](auto& t) { t.assignee = "ann"; }) ==
        replaced(std::string{kFile}, "tags: [a", "assignee: ann\ntags: [a"));
  CHECK(changed(kFile, [](auto& t) { t.estimate = "4h"; }) ==
        replaced(std::string{kFile}, "depends_on:", "estimate: 4h\ndepends_on:"));
  CHECK(changed(kFile, [](auto& t) {
          t.role = "qa";
          t.epoch = 2;
          t.claimed_by = "bob";
        }) == replaced(std::string{kFile}, "note: |", "claimed_by: bob\nepoch: 2\nrole: qa\nnote: |"));
}

TEST_CASE("FrontMatter.WritesNewTasksInKanbanMdsOrder") {
  core::Task task = a_task("Fix: the cart").tagged("yes").due(20'788).with_body("Brief");
  task.id = 7;
  task.class_ = "standard";
  task.rank = "";
  auto file = FrontMatter::empty();
  write_task(file, {}, task, Epoch::keep);
  file.set_body(task.body);
  CHECK(
      file.text() ==
      "---\nid: 7\ntitle: 'Fix: the cart'\nstatus: backlog\npriority: medium\ncreated: 2027-01-15T08:00:00Z\n"
      "updated: 2027-01-15T08:00:00Z\ntags:\n    - \"yes\"\ndue: \"2026-12-01\"\nclass: "
      "standard\n---\n\nBrief\n");
}

TEST_CASE("FrontMatter.AppendsToBodies") {
  auto file = parsed(kFile);
  file.set_body(file.body() + "\nmore");
  CHECK(file.text() == std::string{kFile}.substr(0, kFile.size() - 1) + "\nmore\n");
}

TEST_CASE("FrontMatter.KeepsCarriageReturns") {
  constexpr std::string_view kText = "---\r\nid: 1\r\ntitle: a\r\nstatus: todo\r\n---\r\n\r\none\r\ntwo\r\n";
  auto file = parsed(kText);
  auto const was = task_of(file);
  CHECK(was.body == "one\ntwo");
  auto is = was;
  is.tags = {"x"};
  write_task(file, was, is, Epoch::keep);
  file.set_body(was.body + "\nthree");
  CHECK(file.text() ==
        "---\r\nid: 1\r\ntitle: a\r\nstatus: todo\r\ntags:\r\n    - x\r\n---\r\n\r\none\r\ntwo\r\nthree\r\n");
}

TEST_CASE("FrontMatter.RefusalsSayWhereAndWhat") {
  auto const is = [](std::string_view text, std::string_view beginning) {
    auto const says = refusal(text);
    CHECK_MESSAGE(says.starts_with(beginning), says);
  };
  is("id: 1\n", "f.md:1:1: expected a line of ---");
  is("\xEF\xBB\xBF---\nid: 1\n---\n", "f.md:1:1: the file begins with a byte order mark");
  is("---\nid: 1\n", "f.md:3:1: the front matter has no end");
  is("---\nid: one\ntitle: a\nstatus: todo\n---\n",
     "f.md:2:5: expected a number from 1 for \"id\", found \"one\"");
  is("---\nid: 1\nstatus: todo\n---\n", "f.md:1:1: expected a key \"title\"");
  is("---\nid: 1\ntitle: a\nstatus: todo\ndue: soon\n---\n", "f.md:5:6: expected a date");
  is("---\nid: 1\nid: 2\ntitle: a\nstatus: todo\n---\n", "f.md:3:1:");
  is("---\nid: 1\ntitle: &a x\nstatus: *a\n---\n", "f.md:3:");
  is("---\nid: !!int 1\ntitle: a\nstatus: todo\n---\n", "f.md:2:");
  is("---\nid: 1\ntitle: a\nstatus: todo\n<<: {a: b}\n---\n", "f.md:5:1:");
  is(std::string_view{"---\nid: 1\ntitle: a\0b\nstatus: todo\n---\n", 37}, "f.md:3:9: there is a NUL byte");
  is("---\nid: 1\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\nstatus: todo\n---\n",
     "f.md:3:1: git's marks");
}
