#include "store/markdown/yaml/front_matter.hpp"

#include <doctest/doctest.h>

#include "store/markdown/yaml/task_file.hpp"
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
  write_task(file, was, is, EpochKey::write);
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
  write_task(file, {}, task, EpochKey::keep);
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

TEST_CASE("FrontMatter.SaysHowATextIsReadOnceItIsABody") {
  for (auto const text :
       {"", "one", "one\n", "one\n\n\n", "\n \n\t\n  one", "one\r\ntwo\r\n", " \n", "---\n"}) {
    auto file = FrontMatter::empty();
    file.set_body(FrontMatter::as_body(text));
    CHECK_MESSAGE(parsed("---\nid: 1\ntitle: a\nstatus: todo\n" + file.text().substr(4)).body() ==
                      FrontMatter::as_body(text),
                  text);
  }
  CHECK(FrontMatter::as_body("\n  one\r\ntwo\n") == "  one\ntwo");
}

TEST_CASE("FrontMatter.KeepsTheQuotesOfItemsInBrackets") {
  auto const with_tags = [](std::string_view tags, std::vector<std::string> const& items) {
    auto file = parsed("---\nid: 3\ntags: " + std::string{tags} + "\nx: y\n---\n");
    file.set("tags", {NewValue::Kind::list, {}, items, false}, key_order());
    auto const text = file.text();
    return text.substr(16, text.find("\nx: y") - 16);
  };
  CHECK(with_tags("[a, \"b, c\", 'd'] # t", {"a", "b, c", "d", "e: f"}) == "[a, \"b, c\", 'd', 'e: f'] # t");
  CHECK(with_tags("[a, \"b, c\", 'd'] # t", {"b, c", "d"}) == "[\"b, c\", 'd'] # t");
  CHECK(with_tags("[a, # one\n  b]", {"a", "b", "c"}) == "[a, # one\n  b, c]");
  CHECK(with_tags("[\n  a,\n  b,\n]", {"a", "b", "c"}) == "[\n  a,\n  b, c,\n]");
}

TEST_CASE("FrontMatter.TakesKeysInQuotes") {
  auto file = parsed("---\n\"id\": 3\n'title' : T\nstatus: todo\n\"x y\": 1\n---\n");
  CHECK(task_of(file).title == "T");
  file.set("title", {NewValue::Kind::text, "New", {}, false}, key_order());
  CHECK(file.text() == "---\n\"id\": 3\n'title' : New\nstatus: todo\n\"x y\": 1\n---\n");
}

TEST_CASE("FrontMatter.PassesOverReferencesToItself") {
  auto file = parsed("---\nid: 3\ntitle: T\nstatus: todo\nparent: 3\ndepends_on: [3, 1]\n---\n");
  auto const task = task_of(file);
  CHECK(task.depends_on == std::vector<core::TaskId>{1});
  CHECK_FALSE(task.parent);
  auto changed = task;
  changed.priority = "high";
  write_task(file, task, changed, EpochKey::keep);
  CHECK(file.text().contains("\nparent: 3\ndepends_on: [3, 1]\n"));
}

TEST_CASE("FrontMatter.TakesNoNumberBelowNone") {
  for (auto const* line :
       {"attempt: -1", "epoch: -1", "max_attempts: -1", "depth: -2", "parent: -1", "depends_on: [-3]"})
    CHECK(
        refusal("---\nid: 3\ntitle: T\nstatus: todo\n" + std::string{line} + "\n---\n").contains("f.md:5:"));
}

TEST_CASE("FrontMatter.TakesTimesInTheFormsOfYaml") {
  auto const started = [](std::string_view time) -> std::string {
    auto const text = "---\nid: 3\ntitle: T\nstatus: todo\nstarted: " + std::string{time} + "\n---\n";
    if (auto const refused = refusal(text); !refused.empty()) return refused;
    return core::to_text(*task_of(parsed(text)).started);
  };
  for (auto const* time : {"2026-01-02 08:04:05", "2026-1-2 8:4:5", "2026-1-2T8:4:5Z", "2026-01-02T08:04:05",
                           "2026-01-02 09:04:05 +01:00", "2026-01-02t08:04:05.000z"})
    CHECK(started(time) == "2026-01-02T08:04:05.000Z");
  CHECK(started("2026-01-02 08:04:05.25") == "2026-01-02T08:04:05.250Z");
  for (auto const* time : {"2026-01-02 08:04", "2026-01-02 25:04:05", "2026-13-02 08:04:05",
                           "2026-001-02 08:04:05", "2026-01-02 08:04:05 CET", "1767341045"})
    CHECK(started(time).contains("expected a time"));
}

TEST_CASE("FrontMatter.TakesNoNumberThatJsonCannotTell") {
  auto const with_id = [](std::string_view id) {
    return refusal("---\nid: " + std::string{id} + "\ntitle: T\nstatus: todo\n---\n");
  };
  CHECK(with_id("4503599627370496") == "");
  CHECK(with_id("4503599627370497") ==
        "f.md:2:5: expected a number from 1 for \"id\", found \"4503599627370497\"");
}

TEST_CASE("FrontMatter.ReadsYesAsKanbanMdDoes") {
  constexpr std::string_view kText = "---\nid: 1\ntitle: yes\nstatus: on\nblocked: yes\n---\n";
  auto file = parsed(kText);
  auto const task = task_of(file);
  CHECK(task.blocked);
  CHECK(task.title == "yes");
  write_task(file, task, task, EpochKey::keep);
  CHECK(file.text() == kText);
}

TEST_CASE("FrontMatter.KeepsCarriageReturns") {
  constexpr std::string_view kText = "---\r\nid: 1\r\ntitle: a\r\nstatus: todo\r\n---\r\n\r\none\r\ntwo\r\n";
  auto file = parsed(kText);
  auto const was = task_of(file);
  CHECK(was.body == "one\ntwo");
  auto is = was;
  is.tags = {"x"};
  write_task(file, was, is, EpochKey::keep);
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

TEST_CASE("FrontMatter.EveryShortTextIsReadOrRefused") {
  constexpr std::string_view kLetters = " \t\r\n:-#'\"?[,a";
  std::size_t count = 0;
  auto const try_all = [&](auto const& self, std::string const& text, int more) -> void {
    for (std::string_view const line_end : {"\n", "\r\n"}) {
      auto const fence = "---" + std::string{line_end};
      (void)store::markdown::FrontMatter::parse(fence + text + std::string{line_end} + fence, "f.md");
      ++count;
    }
    if (more == 0) return;
    for (char const c : kLetters) self(self, text + c, more - 1);
  };
  for (auto const* const begun : {"", "id:", "id: ", "tags:\n-", "tags:\n- "}) try_all(try_all, begun, 3);
  CHECK(count > 10'000);
}
