#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"
#include "tui/model/attention.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

using Numbers = std::vector<core::TaskId>;

/// The tasks whose reasons were asked for in the last step.
Numbers asked_for(BoardOnScreen const& screen) {
  Numbers out;
  for (auto const& effect : screen.effects)
    if (auto const* ask = std::get_if<Ask>(&effect); ask && ask->purpose == Purpose::cards)
      for (auto const& task : ask->request.at("tasks").as_array()) out.emplace_back(task.as_int64());
  std::ranges::sort(out);
  return out;
}

std::string title_of(BoardOnScreen const& screen, core::TaskId task) {
  auto const* card = screen.model.data.cards.find(task);
  return card ? card->title : "none";
}

}  // namespace

TEST_CASE("Board.DropsCardsThatAReadingDoesNotTell") {
  BoardOnScreen screen{{a_card(1), a_card(2), a_card(3), a_card(4)}};
  screen.happens(BoardComplete{});
  screen.read(flow_board(), {a_card(1)});
  CHECK(screen.rows("backlog") == Numbers{4, 3, 2, 1});
  screen.happens(CardsRead{{a_card(2)}});
  screen.changes({a_card(5)});
  screen.happens(BoardComplete{});
  CHECK(screen.rows("backlog") == Numbers{5, 2, 1});
}

TEST_CASE("Board.IgnoresAnOlderRevision") {
  BoardOnScreen screen{{a_card(1, "Third").rev(3)}};
  screen.changes({a_card(1, "Second").rev(2)});
  CHECK(title_of(screen, 1) == "Third");
  screen.changes({a_card(1, "Fourth").rev(4)});
  CHECK(title_of(screen, 1) == "Fourth");
  screen.read(flow_board(), {a_card(1, "Restored").rev(1)});
  CHECK(title_of(screen, 1) == "Restored");
}

TEST_CASE("Board.KeepsWhatItsStreamToldWhileTheRestIsRead") {
  BoardOnScreen screen{{a_card(1), a_card(3)}};
  screen.changes({a_card(2, "New").rev(5)}, {3});
  screen.happens(CardsRead{{a_card(2, "Old").rev(4), a_card(3)}});
  CHECK(title_of(screen, 2) == "New");
  CHECK(title_of(screen, 3) == "none");
}

TEST_CASE("Board.KeepsALaterStateThanAnAnswerTells") {
  BoardOnScreen screen{{a_card(1).rev(1)}};
  screen.type("n");
  auto const ask = screen.ask();
  screen.changes({a_card(1).in("done").rev(3)});
  screen.answer(ask, task_of(a_card(1).in("todo").rev(2)));
  CHECK(screen.rows("done") == Numbers{1});
}

TEST_CASE("Board.OfFilesTakesEveryAnswer") {
  BoardOnScreen screen{{a_card(1).rev(5)}, false};
  screen.type("n");
  CHECK(screen.ask().request.contains("claim") == false);
  screen.answer(screen.ask(), task_of(a_card(1).in("todo").rev(1)));
  CHECK(screen.rows("todo") == Numbers{1});
}

TEST_CASE("Board.ShowsNoCardOfAnUnknownOrArchivedColumn") {
  BoardOnScreen screen{{a_card(1).in("archived"), a_card(2).in("nowhere")}};
  CHECK(screen.in_sight().empty());
  CHECK(screen.selected() == 0);
  screen.changes({a_card(2).in("todo").rev(2)});
  CHECK(screen.in_sight() == Numbers{2});
}

TEST_CASE("Board.IsReplacedByAnother") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("B");
  REQUIRE(screen.operation() == "list_boards");
  auto const ask = screen.ask();
  boost::json::value const boards{{"items", {{{"name", "shop"}}, {{"name", "garden"}, {"title", "Beds"}}}}};
  screen.happens(Answered{ask, boards});
  REQUIRE(screen.top<Picker>());
  CHECK(screen.top<Picker>()->at == 0);
  screen.type("j");
  screen.press(Key::enter);
  REQUIRE(screen.effects.size() == 1);
  CHECK(std::get<ReadBoard>(screen.effects.front()).board == "garden");
  screen.read(flow_board("garden"), {a_card(9).in("todo")});
  CHECK(screen.in_sight() == Numbers{9});
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("Reasons.AreAskedForOncePerCardUntilTimePasses") {
  BoardOnScreen screen{{a_card(1).in("todo"), a_card(2).in("todo"), a_card(3)}};
  CHECK(asked_for(screen) == Numbers{1, 2});
  auto const ask = screen.ask();
  screen.type("j");
  CHECK(asked_for(screen).empty());
  boost::json::value const reasons{
      {"items",
       {{{"id", 1}, {"hindrances", {{{"code", "worker"}, {"text", "No worker takes it"}}}}},
        {{"id", 2}, {"hindrances", boost::json::array{}}}}}};
  screen.happens(Answered{ask, reasons});
  CHECK(screen.picture().contains("~ No worker takes it"));
  CHECK(screen.picture().contains("~ starts soon"));
  screen.happens(Tick{});
  CHECK(asked_for(screen) == Numbers{1, 2});
}

TEST_CASE("Reasons.AreAskedForAnewWhenTheCardChanges") {
  BoardOnScreen screen{{a_card(1).in("todo"), a_card(2).in("todo")}};
  screen.changes({a_card(2).in("todo").rev(2)});
  CHECK(asked_for(screen) == Numbers{2});
}

TEST_CASE("Reasons.AreAskedForOnlyOnAServer") {
  BoardOnScreen screen{{a_card(1).in("todo")}, false};
  CHECK(screen.effects.empty());
}

TEST_CASE("Notice.OfAnOutageEndsWithIt") {
  BoardOnScreen screen{{a_card(1).in("review")}};
  screen.happens(Connection{"Not live: the server is away"});
  screen.type("n");
  screen.refuse(screen.ask(), core::Code::kBusy, "the server at localhost cannot be reached");
  CHECK(screen.picture().contains("localhost cannot be reached"));
  screen.happens(Connection{});
  CHECK_FALSE(screen.picture().contains("localhost cannot be reached"));
  CHECK(screen.picture().contains("1 card |"));
}

TEST_CASE("Notice.OfBusyFilesStaysWhileTheyAreReadAnew") {
  BoardOnScreen screen{{a_card(1).in("review")}, false};
  screen.type("n");
  screen.refuse(screen.ask(), core::Code::kBusy, "the store is busy; try again");
  screen.read(flow_board(), {a_card(1).in("review")}, false);
  CHECK(screen.picture().contains("the store is busy; try again"));
  screen.happens(Connection{"the board cannot be reached"});
  screen.read(flow_board(), {a_card(1).in("review")}, false);
  CHECK_FALSE(screen.picture().contains("the store is busy; try again"));
}

TEST_CASE("Notice.OfAnOutageStaysInTheFormThatItOpened") {
  BoardOnScreen screen;
  screen.type("cFix it");
  screen.press(Key::enter);
  screen.refuse(screen.ask(), core::Code::kBusy, "the server at localhost cannot be reached");
  screen.happens(Connection{});
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.picture().contains("localhost cannot be reached"));
}

TEST_CASE("Notice.OfAnotherRefusalStaysUntilTheNextKey") {
  BoardOnScreen screen{{a_card(1).in("review")}};
  screen.type("n");
  screen.refuse(screen.ask(), core::Code::kForbidden, "not for you");
  screen.happens(Connection{});
  CHECK(screen.picture().contains("not for you"));
  screen.type("j");
  CHECK_FALSE(screen.picture().contains("not for you"));
}

TEST_CASE("Inbox.HasTheMostUrgentAndOldestFirst") {
  BoardOnScreen screen{{a_card(1).failed("tests failed"), a_card(2).in("review").entered(9),
                        a_card(3).in("review").entered(5), a_card(4).asks("Which one?"),
                        a_card(5).in("in-progress").run_by("ada").waits_for_answer("May I?"),
                        a_card(6).in("todo").returned(), a_card(7).in("in-progress").run_by("bob"),
                        a_card(8).in("in-progress").run_by("eve")}};
  BoardChanged changed;
  core::Worker silent;
  silent.name = "bob";
  silent.task = core::TaskId{7};
  silent.state = core::WorkerStatus::silent;
  changed.workers.push_back(silent);
  silent.name = "ada";
  silent.task = core::TaskId{5};
  changed.workers.push_back(silent);
  screen.happens(std::move(changed));
  Numbers tasks;
  for (auto const& one : attention_of(screen.model.data)) tasks.push_back(one.task);
  CHECK(tasks == Numbers{5, 4, 3, 2, 6, 1, 7});
  CHECK(count_attention(screen.model.data) == tasks.size());
}

TEST_CASE("Inbox.WalksAsOtherListsDo") {
  std::vector<service::Card> cards;
  for (int i = 1; i <= 9; ++i) cards.push_back(a_card(core::TaskId{i}).in("review"));
  BoardOnScreen screen{std::move(cards)};
  screen.happens(Resized{80, 7});
  screen.type("iG");
  auto const task = [&] { return screen.top<Inbox>()->task; };
  CHECK(task() == 9);
  screen.type("g");
  CHECK(task() == 1);
  screen.press(Key::page_down);
  CHECK(task() == 5);
  screen.press(Key::end);
  CHECK(task() == 9);
  screen.press(Key::page_up);
  CHECK(task() == 5);
  screen.press(Key::home);
  CHECK(task() == 1);
}

TEST_CASE("Inbox.StaysOnItsTaskWhenOthersCome") {
  BoardOnScreen screen{{a_card(2).in("review"), a_card(3).in("review")}};
  screen.type("ij");
  CHECK(screen.top<Inbox>()->task == 3);
  screen.changes({a_card(9).asks("Which?")});
  screen.press(Key::enter);
  REQUIRE(screen.top<TaskPage>());
  CHECK(screen.top<TaskPage>()->task == 3);
}
