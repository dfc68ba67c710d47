#include "store/markdown/yaml/task_text.hpp"

#include <algorithm>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "store/markdown/files/board_folder.hpp"
#include "support/builders.hpp"

using namespace andon;
using namespace andon::store::markdown;
using namespace andon::test;

namespace {

FrontMatter parsed(std::string const& text) {
  auto file = FrontMatter::parse(text, "f.md");
  REQUIRE_MESSAGE(file, (file ? "" : file.error().message));
  return *std::move(file);
}

core::Task task_in(FrontMatter const& file) {
  auto task = task_in(file, a_board(), "f.md");
  REQUIRE_MESSAGE(task, (task ? "" : task.error().message));
  return *std::move(task);
}

/// The file after its task was changed_task.
template <class Change>
core::Result<std::string> changed_task(std::string const& text, Change const& change) {
  auto file = parsed(text);
  auto const was = task_in(file);
  auto is = was;
  change(is);
  write_task(file, was, is, EpochKey::write);
  if (is.body != was.body) file.set_body(is.body = FrontMatter::as_body(is.body));
  return text_that_tells(is, file, a_board(), "f.md");
}

std::string with(std::string const& lines) {
  return "---\nid: 7\ntitle: Fix\nstatus: todo\npriority: medium\ncreated: 2026-11-01T08:00:00Z\n"
         "updated: 2026-11-01T08:00:00Z\n" +
         lines + "---\n\nBrief\n";
}

/// Texts as people and programs write them, with what YAML takes for more than a letter.
rc::Gen<std::string> text_gen() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "a", "word", " ", "  ", "'", "''", "\"", "\\", ":", ": ", "#", " #", "- ", "-", "?", "[", "]", "{",
          "}", ",", "&", "*", "!", "|", ">", "%", "@", "`", "~", "\t", "é", "😀", "\u2028", "\u2029",
          "\u0085", "\u00a0", "\ufeff", "0", "1:2", "yes", "null", "=", "<<", "---", "...", "2026-11-01")),
      [](std::vector<std::string> const& parts) {
        std::string out;
        for (auto const& part : parts) out += part;
        return out;
      });
}

std::string some_text() { return *text_gen(); }
std::string some_words() {
  auto text = some_text();
  return text.find_first_not_of(" \t") == std::string::npos ? "word" : text;
}

std::string in_single_quotes(std::string const& text) {
  std::string out = "'";
  for (char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

/// The text that a reader finds between single quotes: blanks behind U+2028 and U+2029 are indentation there.
std::string read_between_quotes(std::string const& text) {
  std::string out;
  bool is_indent = false;
  for (char const c : text) {
    is_indent = is_indent && (c == ' ' || c == '\t');
    if (is_indent) continue;
    out += c;
    is_indent = out.ends_with("\u2028") || out.ends_with("\u2029");
  }
  return out;
}

/// A list in one of the ways in which people write it, some over several lines.
std::string some_list(std::string const& key) {
  auto const item = [] {
    return *rc::gen::element<std::string>("plain", "two\n      lines", "'quoted\n      over lines'",
                                          "\"escaped \\\n      over lines\"",
                                          "|\n      a block\n      of text", ">-\n      folded\n      text",
                                          "'it''s '''' x'", "-x", "a   # remark");
  };
  std::string out = key + ":\n";
  auto const count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) {
    out += "    - " + item() + "\n";
    if (*rc::gen::inRange(0, 4) == 0) out += *rc::gen::element<std::string>("    # remark - here\n", "\n");
  }
  return out;
}

void expect_held(bool held) { CHECK(held); }

}  // namespace

TEST_CASE("TaskText.TakesAnItemOfSeveralLinesOutWhole") {
  for (std::string const item :
       {"'multi\n      line item'", "multi\n      line item", "\"multi\n      line item\""}) {
    CAPTURE(item);
    auto const text = changed_task(with("tags:\n    - " + item + "\n    - b\nclass: standard\n"),
                                   [](core::Task& task) { task.tags = {"b"}; });
    REQUIRE(text);
    CHECK(task_in(parsed(*text)).tags == std::vector<std::string>{"b"});
    CHECK(text->ends_with("class: standard\n---\n\nBrief\n"));
  }
}

TEST_CASE("TaskText.LeavesWhatOthersMeanByTheNameOfAPlainField") {
  for (auto const& field : core::kPlainFields)
    for (std::string const value : {"\n    - https://a.example\n    - https://b.example\n", " {to: 4}\n"}) {
      auto const theirs = std::string{field.name} + ":" + value;
      CAPTURE(theirs);
      CHECK((task_in(parsed(with(theirs))).*field.text).empty());
      auto const moved = changed_task(with(theirs), [](core::Task& task) { task.status = "doing"; });
      REQUIRE(moved);
      CHECK(moved->contains(theirs));
      auto const set = changed_task(with(theirs), [&](core::Task& task) { task.*field.text = "ours"; });
      REQUIRE(set);
      CHECK(task_in(parsed(*set)).*field.text == "ours");
    }
}

TEST_CASE("TaskText.KeepsWhatOthersHaveThereWhenItIsWrittenAnew") {
  auto file = parsed(with("sprint: {number: 4}\n# a remark\nnote: |\n  two\n  lines\n"));
  auto const task = task_in(file);
  file.set("title", {NewValue::Kind::text, "[broken", {}, false}, key_order());
  auto const text = text_that_tells(task, file, a_board(), "f.md");
  REQUIRE(text);
  auto const again = parsed(*text);
  CHECK(is_same_in_file(task_in(again), task));
  CHECK(text->contains("sprint: {number: 4}\n"));
  CHECK(again.find("note")->value.text == "two\nlines\n");
}

TEST_CASE("TaskText.OfAFileWithoutTimesIsNoOther") {
  auto const text =
      changed_task("---\nid: 7\ntitle: Fix\nstatus: todo\npriority: medium\n---\n", [](core::Task& task) {
        task.updated = at_minute(1);
        task.claimed_by = "ann";
        task.claimed_at = at_minute(1);
      });
  REQUIRE(text);
  CHECK_FALSE(text->contains("created:"));
}

TEST_CASE("TaskText.KeepsSeparatorsOfGoYamlByteForByte") {
  std::string const lines = "block_reason: 'one\u2028    two'\ntags:\n    - 'x\u2029        y'\n";
  auto const told = changed_task(with(lines), [](core::Task& task) { task.estimate = "2h"; });
  REQUIRE(told);
  CHECK(told->contains("block_reason: 'one\u2028    two'\n"));
  CHECK(told->contains("    - 'x\u2029        y'\n"));
  auto const anew = changed_task(with(lines), [](core::Task& task) { task.block_reason += "!"; });
  REQUIRE(anew);
  CHECK(anew->contains("block_reason: \"one\\Ltwo!\"\n"));
}

TEST_CASE("TaskText.KeepsCommentsAndLineEndsWhicheverKeysTheFileLacks") {
  std::vector<std::string> const optional{"priority: medium", "created: 2026-11-01T08:00:00Z",
                                          "updated: 2026-11-02T08:00:00Z", "class: standard", "tags: [a]"};
  for (unsigned has = 0; has < 1U << optional.size(); ++has) {
    std::string text = "---\r\nid: 7\r\ntitle: Fix # why\r\nstatus: todo\r\n";
    for (std::size_t i = 0; i < optional.size(); ++i)
      if ((has >> i & 1U) != 0) text += optional[i] + " # own\r\n";
    text += "---\r\n\r\nBrief\r\n";
    CAPTURE(text);
    auto const told = changed_task(text, [](core::Task& task) {
      task.estimate = "2h";
      task.updated += std::chrono::hours{1};
    });
    REQUIRE(told);
    CHECK(told->contains("title: Fix # why\r\n"));
    CHECK(told->contains("estimate: 2h\r\n"));
    CHECK(std::ranges::count(*told, '\n') == std::ranges::count(*told, '\r'));
  }
}

TEST_CASE("TaskText.IsRefusedWhenNoFileCanTellIt") {
  auto const conflict = changed_task(
      with(""), [](core::Task& task) { task.body = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs"; });
  REQUIRE_FALSE(conflict);
  CHECK(conflict.error().message.contains("git's marks of a conflict"));
  auto const large = changed_task(with(""), [](core::Task& task) { task.body.assign(kLongestTask, 'x'); });
  REQUIRE_FALSE(large);
  CHECK(large.error().code == core::Code::kTooLarge);
  CHECK(changed_task(with(""), [](core::Task& task) { task.body.assign(kLongestTask - 1000, 'x'); }));
}

TEST_CASE("TaskText.OfAnyChangeOfAnyFileTellsTheTask") {
  expect_held(rc::check("random files and edits", [] {
    auto const title = some_words(), reason = some_text(), tag = some_text();
    auto lines = some_list("tags") + "block_reason: " + in_single_quotes(reason) + "\n" + some_list("own");
    auto const text = with(lines);
    auto const file = FrontMatter::parse(text, "f.md");
    RC_PRE(file.has_value());
    auto const was = task_in(*file, a_board(), "f.md");
    RC_PRE(was.has_value());
    RC_ASSERT(was->block_reason == read_between_quotes(reason));
    auto is = *was;
    is.title = title;
    is.estimate = some_text();
    if (!is.tags.empty())
      is.tags.erase(is.tags.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(is.tags)));
    if (*rc::gen::arbitrary<bool>()) is.tags.push_back(tag);
    if (*rc::gen::arbitrary<bool>())
      is.body = FrontMatter::as_body(some_text() + "\r\n" + some_text() + "\r");
    auto changing = *file;
    write_task(changing, *was, is, EpochKey::write);
    changing.set_body(is.body);
    auto const told = text_that_tells(is, changing, a_board(), "f.md");
    if (!told) RC_FAIL(told.error().message + "\n" + text + "\nto\n" + changing.text());
    auto const again = task_in(*FrontMatter::parse(*told, "f.md"), a_board(), "f.md");
    RC_ASSERT(again.has_value());
    RC_ASSERT(is_same_in_file(*again, is));
    RC_ASSERT(told->contains("own:\n"));
  }));
}
