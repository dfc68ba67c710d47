#include <algorithm>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "store/markdown/yaml/task_file.hpp"
#include "support/builders.hpp"

using namespace andon;
using namespace andon::store::markdown;
using namespace andon::test;

namespace {

template <class T>
T one_of(std::vector<T> const& from) {
  return *rc::gen::elementOf(from);
}

/// A line that people or programs write into front matter and that Andon does not know or does not mind.
std::string noise(int number) {
  auto const key = "own_" + std::to_string(number);
  return one_of<std::string>({"# remark " + key + "\n", "\n", key + ": plain text  # remark\n",
                              key + ": 'it''s'\n", key + ": \"a \\\"b\\\" # c\"\n",
                              key + ": [1, 'two, three', {x: y}]\n", key + ":\n  - a\n  # between\n  - 'b'\n",
                              key + ": |\n  # text\n\n  more\n", key + ": >-\n    folded\n    text\n",
                              key + ":\n    deep:\n        - x: 1\n          y: 2\n",
                              key + ": {a: [b, c], d: e}\n", key + ":   \n", key + ": 2026-11-21\n"});
}

std::string known_lines() {
  std::vector<std::string> lines{
      "id: 7\n",
      one_of<std::string>({"title: Fix it\n", "title: 'Fix: it'\n", "title: \"Fix \\u00e9\"   # t\n",
                           "title: >-\n  Fix\n  it\n"}),
      one_of<std::string>({"status: todo\n", "status: \"todo\" # s\n", "status: 'nowhere'\n"}),
      one_of<std::string>({"priority: medium\n", "priority:   medium # p\n", "priority: 'medium'\n"}),
      one_of<std::string>(
          {"created: 2026-11-01T08:00:00.123456789+01:00\n", "created: \"2026-11-01T08:00:00Z\"\n"}),
      "updated: 2026-11-02T09:30:00.5+01:00\n"};
  auto const maybe = [&](std::vector<std::string> const& from) {
    if (*rc::gen::arbitrary<bool>()) lines.push_back(one_of(from));
  };
  maybe({"tags: [a, b]\n", "tags:\n    - a\n    - \"b, c\"\n", "tags:\n- a\n# r\n- b\n", "tags: []\n"});
  maybe({"due: \"2026-12-01\"\n", "due: 2026-12-01\n"});
  maybe({"depends_on:\n    - 1\n    - 2\n", "depends_on: [3]\n"});
  maybe({"class: standard\n", "class: Fixed-Date\n"});
  maybe({"block_reason: |-\n    two\n    lines\nblocked: true\n"});
  maybe({"claimed_by: ann\nclaimed_at: 2026-11-02T09:30:00.5+01:00\n"});
  std::string out;
  int number = 0;
  for (auto const& line : lines) {
    for (int n = one_of<int>({0, 0, 0, 1, 2}); n > 0; --n) out += noise(number++);
    out += line;
  }
  return out;
}

std::string document() {
  auto const body = one_of<std::string>({"", "\n", "\nBrief\n", "\n\n\n# Brief\n\n---\nnot the end\n",
                                         "\nno line end", "Brief at once\n", "\n  indented\n\n\n"});
  auto text = "---\n" + known_lines() + "---\n" + body;
  if (one_of<int>({0, 1, 2, 3}) != 0) return text;
  std::string out;
  for (char c : text) out.append(c == '\n' ? "\r" : "").append(1, c);
  return out;
}

struct Read {
  FrontMatter file;
  core::Task task;
};

Read read(std::string const& text) {
  auto file = FrontMatter::parse(text, "f.md");
  if (!file) RC_FAIL(file.error().message + "\n" + text);
  auto task = task_in(*file, a_board(), "f.md");
  if (!task) RC_FAIL(task.error().message + "\n" + text);
  return {*std::move(file), *std::move(task)};
}

std::string changed(std::string const& text, core::Task const& is) {
  auto now = read(text);
  write_task(now.file, now.task, is, EpochKey::keep);
  return now.file.text();
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> out{""};
  for (char c : text) {
    out.back() += c;
    if (c == '\n') out.emplace_back();
  }
  return out;
}

void check(bool held) { CHECK(held); }

}  // namespace

TEST_CASE("RandomFiles.ComeBackAsTheyWere") {
  check(rc::check("unchanged", [] {
    auto const text = document();
    auto const was = read(text);
    RC_ASSERT(was.file.text() == text);
    RC_ASSERT(changed(text, was.task) == text);
  }));
}

TEST_CASE("RandomFiles.ChangeInTwoLinesWhenOneValueChanges") {
  check(rc::check("priority", [] {
    auto const text = document();
    auto is = read(text).task;
    is.priority = "critical";
    is.updated = at_minute(*rc::gen::inRange(0, 1000));
    auto const before = lines_of(text), after = lines_of(changed(text, is));
    RC_ASSERT(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      RC_ASSERT(before[i] == after[i] || before[i].starts_with("priority:") ||
                before[i].starts_with("updated:"));
    auto const again = read(changed(text, is)).task;
    RC_ASSERT(again == is || (again.state.entered != is.state.entered && again.priority == is.priority));
  }));
}

TEST_CASE("RandomFiles.TellEveryChangeBack") {
  check(rc::check("several", [] {
    auto const text = document();
    auto is = read(text).task;
    auto const was = is;
    is.title = one_of<std::string>({"New", "a: b", "- x", "yes", "1:20", "tab\there", "😀", "it's # x"});
    is.tags = one_of<std::vector<std::string>>({{}, {"a"}, {"b", "c"}, {"a", "b, c", "yes"}, {"[x"}});
    is.block_reason = one_of<std::string>({"", "one", "two\nlines", "  kept  \n\nblanks "});
    for (auto const& field : core::kPlainFields) is.*field.text = one_of<std::string>({"", "4h", "1_000"});
    is.depends_on = one_of<std::vector<core::TaskId>>({{}, {1}, {2, 3}});
    is.due.reset();
    auto const now = changed(text, is);
    auto again = read(now).task;
    again.state.entered = is.state.entered;
    RC_ASSERT(again == is);
    RC_ASSERT(changed(now, again) == now);
  }));
}
