#include "tui/model/pages.hpp"

#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"
#include "tui/model/look.hpp"
#include "tui/model/requests.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

/// The output page of task 1, whose run is 10.
BoardOnScreen with_output_page() {
  BoardOnScreen screen{{a_card(1).in("in-progress").run_by("ada")}};
  screen.type("o");
  screen.happens(Answered{screen.ask(), boost::json::object{{"items", {{{"id", 4}}, {{"id", 10}}}}}});
  return screen;
}

OutputRead page_with(int lines, std::string next, bool has_more = false) {
  api::OutputPage page;
  for (int i = 0; i < lines; ++i) page.items.push_back({{}, "text", next + "/" + std::to_string(i)});
  page.next = std::move(next);
  page.more = has_more;
  return {10, std::move(page)};
}

std::string asked_from(BoardOnScreen const& screen) {
  auto const* read = screen.effects.empty() ? nullptr : std::get_if<ReadOutput>(&screen.effects.front());
  return read ? std::to_string(read->run) + ":" + read->since : "nothing";
}

void a_line_comes(BoardOnScreen& screen) {
  BoardChanged changed;
  changed.lines[1] = "working";
  screen.happens(std::move(changed));
}

/// A line with what is marked in brackets.
std::string with_brackets(PageLine const& line) {
  std::string out;
  for (auto const& span : line) out += span.style.reverse ? "[" + span.text + "]" : span.text;
  return out;
}

std::vector<std::string> diffed(std::string_view text) {
  std::vector<std::string> out;
  for (auto const& line : diff_lines(text)) out.push_back(with_brackets(line));
  return out;
}

using Texts = std::vector<std::string>;

/// The page of task 1, with a body of so many lines.
BoardOnScreen with_task_page(int lines) {
  BoardOnScreen screen{{a_card(1)}};
  screen.press(Key::enter);
  auto task = task_of(a_card(1));
  for (int i = 0; i < lines; ++i) task.body += "line " + std::to_string(i) + " of the body\n";
  screen.answer(std::get<Ask>(screen.effects.front()), task);
  return screen;
}

PageLine const* lines_in_memory(BoardOnScreen& screen) { return screen.top<TaskPage>()->text.lines.data(); }

}  // namespace

TEST_CASE("OutputPage.IsThatOfTheLastRun") {
  auto screen = with_output_page();
  CHECK(asked_from(screen) == "10:");
}

TEST_CASE("OutputPage.SaysWhenThereIsNoRun") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("o");
  screen.happens(Answered{screen.ask(), boost::json::object{{"items", boost::json::array{}}}});
  CHECK(screen.picture().contains("Nobody has worked on it yet."));
}

TEST_CASE("OutputPage.AsksForMoreWhileThereIsMore") {
  auto screen = with_output_page();
  screen.happens(page_with(3, "a", true));
  CHECK(asked_from(screen) == "10:a");
  screen.happens(page_with(3, "b"));
  CHECK(asked_from(screen) == "nothing");
  a_line_comes(screen);
  CHECK(asked_from(screen) == "10:b");
}

TEST_CASE("OutputPage.AsksAgainForLinesThatCameWhileItAsked") {
  auto screen = with_output_page();
  a_line_comes(screen);
  CHECK(asked_from(screen) == "nothing");
  screen.happens(page_with(1, "a"));
  CHECK(asked_from(screen) == "10:a");
  screen.happens(page_with(0, "a"));
  CHECK(asked_from(screen) == "nothing");
}

TEST_CASE("OutputPage.FollowsItsEndUntilItIsScrolled") {
  auto screen = with_output_page();
  screen.happens(page_with(100, "a"));
  CHECK(screen.picture().contains("a/99\n"));
  screen.type("k");
  CHECK_FALSE(screen.picture().contains("a/99\n"));
  auto const before = screen.top<TextPage>()->offset;
  screen.happens(page_with(10, "b"));
  CHECK(screen.top<TextPage>()->offset == before);
  screen.type("G");
  screen.happens(page_with(10, "c"));
  CHECK(screen.picture().contains("c/9\n"));
}

TEST_CASE("OutputPage.KeepsABoundedNumberOfLines") {
  auto screen = with_output_page();
  screen.happens(page_with(50'000, "a"));
  screen.type("k");
  auto const shown = screen.picture();
  screen.happens(page_with(100, "b"));
  CHECK(screen.top<TextPage>()->lines.size() == 50'000);
  CHECK(screen.picture() == shown);
}

TEST_CASE("OutputPage.ShowsNoControlSequence") {
  auto screen = with_output_page();
  OutputRead read = page_with(0, "a");
  read.page->items.push_back({{}, "stdout", "\x1b[31mred\x1b[0m\tend\x07\r"});
  screen.happens(std::move(read));
  CHECK(screen.picture().contains("red    end\\x07\n"));
}

TEST_CASE("OutputPage.SaysWhyItCannotBeRead") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("o");
  screen.refuse(screen.ask(), core::Code::kForbidden, "not for you");
  CHECK(screen.picture().contains("not for you"));
}

TEST_CASE("TaskPage.KeepsItsLinesWhileItScrolls") {
  auto screen = with_task_page(500);
  auto const* const lines = lines_in_memory(screen);
  screen.type("jjG");
  CHECK(screen.picture().contains("line 499 of the body"));
  screen.type("g ");
  screen.changes({a_card(2, "Another one")});
  screen.happens(Tick{});
  CHECK(lines_in_memory(screen) == lines);
}

TEST_CASE("TaskPage.OffersOneVerbForAKey") {
  auto screen = with_task_page(1);
  auto task = task_of(a_card(1));
  task.can = {"approve", "answer", "accept", "unblock"};
  screen.answer(read_task(Purpose::task, 1), task);
  CHECK(screen.picture().contains(" u unblock, a answer\n"));
  screen.type("a");
  screen.answer(screen.ask(), task);
  REQUIRE(screen.top<TextPrompt>());
  CHECK(verb_of(*screen.top<TextPrompt>()->ask.operation) == "answer");
}

TEST_CASE("TaskPage.ShowsWhatHasChanged") {
  auto screen = with_task_page(2);
  screen.changes({a_card(1).failed("the tests failed").rev(2)});
  CHECK(screen.picture().contains("the tests failed"));
  auto task = task_of(a_card(1));
  task.body = "Another body";
  screen.answer(read_task(Purpose::task, 1), task);
  CHECK(screen.picture().contains("Another body"));
  service::DispatchBlockers reasons;
  reasons.hindrances.push_back({"", "nobody is free", "", "", {}});
  screen.answer(ask_for<&service::why_not_running>(Purpose::reasons, {}, 1), reasons);
  CHECK(screen.picture().contains("~ nobody is free"));
}

TEST_CASE("TaskPage.IsBrokenAnewForAnotherWidth") {
  auto screen = with_task_page(500);
  screen.type("G");
  screen.happens(Resized{12, 40});
  CHECK(screen.picture().contains("\nthe body\n"));
  screen.happens(Resized{80, 40});
  CHECK(screen.picture().contains("line 499 of the body\n"));
}

TEST_CASE("Diff.MarksTheWordsThatDiffer") {
  CHECK(diffed("@@ -1 +1 @@\n-int total = 1;\n+int sum = 1;\n") ==
        Texts{"@@ -1 +1 @@", "-int [total] = 1;", "+int [sum] = 1;"});
}

TEST_CASE("Diff.MarksNothingInLinesWithNothingInCommon") {
  CHECK(diffed("@@\n-alpha\n+beta\n") == Texts{"@@", "-alpha", "+beta"});
}

TEST_CASE("Diff.PairsABlockOfLinesWithTheOneThatReplacesIt") {
  CHECK(diffed("@@\n-a one\n-b two\n-gone\n+a 1\n+b 2\n same\n") ==
        Texts{"@@", "-a [one]", "-b [two]", "-gone", "+a [1]", "+b [2]", " same"});
  CHECK(diffed("@@\n-a one\n+a 1\n+new\n") == Texts{"@@", "-a [one]", "+a [1]", "+new"});
}

TEST_CASE("Diff.TakesHeadsOfFilesForNoChanges") {
  CHECK(diffed("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@\n-1\n+2\n") ==
        Texts{"diff --git a/x b/x", "--- a/x", "+++ b/x", "@@", "-1", "+2"});
}

TEST_CASE("Help.ListsTheKeysOfTheTable") {
  BoardOnScreen screen;
  screen.happens(Resized{120, 60});
  screen.type("?");
  CHECK(screen.picture().contains("Approve a task for work"));
  screen.type("z");
  CHECK(screen.model.dialogs.empty());
}
