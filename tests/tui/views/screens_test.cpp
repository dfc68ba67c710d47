#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

// Pictures of the screen as people see it, in tests/fixtures/tui. ANDON_WRITE_SCREENS=1 writes them anew
// after a change of what is drawn; look at them before they are committed.

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

constexpr int kNow = 600;  ///< the minute at which the pictures are taken

std::string committed_screen(std::string const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Compares the screen, at the sizes of small, usual and large terminals, with the pictures of that name.
void check_screens(BoardOnScreen& screen, std::string const& name) {
  for (auto const size : {Resized{40, 20}, Resized{80, 24}, Resized{120, 40}}) {
    screen.happens(size);
    auto const file = std::string{ANDON_FIXTURES} + "/tui/" + name + "_" + std::to_string(size.columns) +
                      "x" + std::to_string(size.rows) + ".txt";
    CAPTURE(file);
    auto const picture = screen.picture();
    if (std::getenv("ANDON_WRITE_SCREENS")) std::ofstream(file) << picture;
    CHECK(committed_screen(file) == picture);
  }
}

/// The document with each picture that it names between its two marks, as an indented block.
std::string with_pictures(std::string text) {
  constexpr std::string_view kBegin = "<!-- screen: ", kEnd = "<!-- end of screen -->";
  for (auto at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
    auto const name_end = text.find(" -->\n", at);
    auto const name = text.substr(at + kBegin.size(), name_end - at - kBegin.size());
    std::istringstream picture(committed_screen(std::string{ANDON_FIXTURES} + "/tui/" + name + ".txt"));
    std::string block = "\n";
    for (std::string line; std::getline(picture, line);) block += line.empty() ? "\n" : "    " + line + "\n";
    auto const from = name_end + 5;
    text.replace(from, text.find(kEnd, from) - from, block + "\n");
  }
  return text;
}

core::Worker a_worker(std::string name, core::WorkerStatus light, core::TaskId task = 0, int since = kNow) {
  core::Worker worker;
  worker.name = std::move(name);
  worker.state = light;
  if (task != 0) {
    worker.task = task;
    worker.since = at_minute(since);
  }
  return worker;
}

std::vector<core::Worker> the_workers() {
  using Light = core::WorkerStatus;
  auto qa = a_worker("qa", Light::paused);
  qa.paused_because = "budget of the day used up";
  auto writer = a_worker("writer", Light::limited);
  writer.limited_until = at_minute(kNow + 45);
  auto eve = a_worker("eve", Light::idle);
  eve.queued = 2;
  return {a_worker("ada", Light::working, 11, kNow - 12),
          a_worker("bob", Light::working, 12, kNow - 50),
          a_worker("carol", Light::silent, 13, kNow - 7),
          eve,
          qa,
          writer,
          a_worker("night-shift", Light::offline)};
}

std::vector<service::Card> the_cards() {
  return {
      a_card(21, "Let shoppers save their cart for later").updated(kNow - 200).tagged("cart"),
      a_card(22, "Ask about VAT numbers").updated(kNow - 3000).priority("low"),
      a_card(23, "Größere Schrift für 日本語").updated(kNow - 70).tagged("i18n").tagged("ui"),
      a_card(14, "Send receipts by mail").in("todo").priority("high").updated(kNow - 30).tagged("mail"),
      a_card(15, "Test the checkout on phones").in("todo").updated(kNow - 90),
      a_card(16, "Choose a payment provider")
          .in("todo")
          .updated(kNow - 45)
          .asks("Which provider shall the shop use for cards and invoices?", kNow - 45),
      a_card(17, "Speed up the product search")
          .in("todo")
          .updated(kNow - 20)
          .failed("the tests of search failed 3 times"),
      a_card(18, "Import the old customers").in("todo").updated(kNow - 400).blocked("waits for the export"),
      a_card(11, "Fix rounding in the cart")
          .in("in-progress")
          .priority("critical")
          .updated(kNow - 12)
          .run_by("ada", "Running tests: 41 of 60", kNow - 12),
      a_card(12, "Move the prices to cents")
          .in("in-progress")
          .updated(kNow - 50)
          .tagged("money")
          .run_by("bob", "", kNow - 50)
          .waits_for_answer("May I drop the column price_eur?", kNow - 5),
      a_card(13, "Describe the API")
          .in("in-progress")
          .updated(kNow - 7)
          .run_by("carol", "thinking", kNow - 30),
      a_card(9, "Show stock next to sizes")
          .in("review")
          .updated(kNow - 15)
          .entered(kNow - 15)
          .work({core::DiffSize{4, 96, 12}, 2, 2, 1.32}),
      a_card(8, "Remove the old banner").in("review").updated(kNow - 1500).entered(kNow - 1500),
      a_card(1, "Set up the shop").in("done").updated(kNow - 20'000),
      a_card(2, "Take orders by phone").in("done").updated(kNow - 9000)};
}

core::Board the_board() {
  auto board = flow_board();
  board.title = "Shop";
  for (auto& column : board.columns)
    if (column.name == "in-progress") column.wip_limit = 3;
  return board;
}

/// A server's board in the middle of a day.
BoardOnScreen server_screen() {
  BoardOnScreen screen;
  screen.read(the_board(), the_cards());
  BoardChanged changed;
  changed.workers = the_workers();
  changed.counts = {{"backlog", 3}, {"todo", 5}, {"in-progress", 3}, {"review", 2}, {"done", 2}};
  screen.happens(std::move(changed));
  boost::json::value const reasons{
      {"items",
       {{{"id", 14}, {"hindrances", {{{"code", "turn"}, {"text", "ada takes 2 other tasks first"}}}}},
        {{"id", 15}, {"hindrances", {{{"code", "worker"}, {"text", "No worker has the role qa"}}}}}}}};
  Ask ask;
  ask.purpose = Purpose::cards;
  screen.happens(Answered{ask, reasons});
  return screen;
}

/// kanban-md's board, as its files tell it.
BoardOnScreen files_screen() {
  BoardOnScreen screen{{}, false};
  auto cards = the_cards();
  for (auto& card : cards) {
    card.run.reset();
    card.question.reset();
    card.work.reset();
    card.failure.clear();
  }
  screen.model.options.mouse = false;
  screen.read(the_board(), std::move(cards), false);
  return screen;
}

core::Task the_task() {
  core::Task task =
      task_of(a_card(16, "Choose a payment provider").in("todo").tagged("money").tagged("legal"));
  task.class_ = "standard";
  task.role = "coder";
  task.attempt = 1;
  task.blocked = true;
  task.block_reason = "asks a person";
  task.depends_on = {11, 12};
  task.question = core::Question{"Which provider shall the shop use for cards and invoices?",
                                 {"Stripe", "Adyen", "None yet"},
                                 "worker:ada",
                                 at_minute(kNow - 45),
                                 {}};
  task.body =
      "## Why\n\nCustomers leave the shop at the last step because they cannot pay with what they have.\n\n"
      "- cards\n- invoices for companies, which need a line with their own order number on them\n";
  task.can = {"answer", "unblock", "note"};
  return task;
}

}  // namespace

TEST_CASE("Screens.ShowTheBoardOfAServer") {
  auto screen = server_screen();
  check_screens(screen, "server_board");
}

TEST_CASE("Screens.ShowTheBoardOfFiles") {
  auto screen = files_screen();
  check_screens(screen, "files_board");
}

TEST_CASE("Screens.ShowATask") {
  auto screen = server_screen();
  select_task(screen.model, 16);
  screen.press(Key::enter);
  Ask ask;
  ask.purpose = Purpose::task;
  screen.answer(ask, the_task());
  ask.purpose = Purpose::reasons;
  ask.task = 16;
  screen.happens(
      Answered{ask, boost::json::value{{"id", 16},
                                       {"hindrances",
                                        {{{"code", "question"}, {"text", "it waits for an answer"}},
                                         {{"code", "dependency"}, {"text", "#11 is not done"}}}}}});
  check_screens(screen, "task");
}

TEST_CASE("Screens.ShowThePickerOfColumns") {
  auto screen = server_screen();
  screen.type("mj");
  check_screens(screen, "move");
}

TEST_CASE("Screens.ShowTheFormOfATask") {
  auto screen = server_screen();
  screen.type("cOffer gift cards");
  screen.press(Key::tab);
  screen.type("Shops nearby sell them at the till, and people ask for them before every holiday.");
  check_screens(screen, "create_body");
  screen.press(Key::tab);
  check_screens(screen, "create_priority");
}

TEST_CASE("Screens.ShowThePromptOfAQuestion") {
  auto screen = server_screen();
  select_task(screen.model, 16);
  screen.type("a");
  screen.answer(screen.ask(), the_task());
  check_screens(screen, "answer");
}

TEST_CASE("Screens.ShowAConfirmation") {
  auto screen = server_screen();
  screen.type("d");
  check_screens(screen, "delete");
}

TEST_CASE("Screens.ShowTheInbox") {
  auto screen = server_screen();
  screen.type("ij");
  check_screens(screen, "inbox");
}

TEST_CASE("Screens.ShowTheKeys") {
  auto screen = server_screen();
  screen.type("?");
  check_screens(screen, "help");
}

TEST_CASE("Screens.ShowAChange") {
  auto screen = server_screen();
  select_task(screen.model, 9);
  screen.type("v");
  auto const ask = screen.ask();
  boost::json::value const diff{
      {"files",
       {{{"path", "src/stock.cpp"}, {"added", 4}, {"removed", 2}},
        {{"path", "src/sizes.cpp"}, {"from", "src/size.cpp"}, {"added", 0}, {"removed", 0}}}},
      {"diff",
       "diff --git a/src/stock.cpp b/src/stock.cpp\n--- a/src/stock.cpp\n+++ b/src/stock.cpp\n"
       "@@ -12,6 +12,8 @@ int stock_of(Size const& size) {\n   auto const row = table.find(size);\n"
       "-  return row->count;\n-  // all that is there\n+  return row->count - row->reserved;\n+}\n+\n"
       "+/// Whether the shop can send it today, which is so when at least one is left that nobody "
       "reserved.\n"
       "+bool is_in_stock(Size const& size) {\n   return stock_of(size) > 0;\n }\n"}};
  screen.happens(Answered{ask, diff});
  check_screens(screen, "diff");
}

TEST_CASE("Screens.ShowTheOutputOfARun") {
  auto screen = server_screen();
  select_task(screen.model, 11);
  screen.type("o");
  screen.happens(Answered{screen.ask(), boost::json::object{{"items", {{{"id", 110}}}}}});
  api::OutputPage page;
  page.items = {{{}, "andon", "Attempt 1 begins in a work tree of its own"},
                {{}, "text", "I read the cart first, then the tests that look at its sums."},
                {{}, "tool", "Bash: ctest -R cart"},
                {{}, "stdout", "\x1b[32m100% tests passed\x1b[0m, 0 tests failed out of 41"},
                {{}, "stderr", "warning: 2 tests were skipped"}};
  page.next = "5";
  screen.happens(OutputRead{110, std::move(page)});
  check_screens(screen, "output");
}

TEST_CASE("Screens.InDocumentsAreThePicturesOfToday") {
  for (auto const* document : {"/../../README.md", "/../../docs/tui.md"}) {
    auto const file = std::string{ANDON_FIXTURES} + document;
    CAPTURE(file);
    auto const wanted = with_pictures(committed_screen(file));
    CHECK(wanted.contains("\n     ▲ Shop"));
    if (std::getenv("ANDON_WRITE_SCREENS")) std::ofstream(file) << wanted;
    CHECK(committed_screen(file) == wanted);
  }
}

TEST_CASE("Screens.ShowTheWorkers") {
  auto screen = server_screen();
  screen.type("w");
  check_screens(screen, "workers");
}
