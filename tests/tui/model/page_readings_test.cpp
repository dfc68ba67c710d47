#include "tui/model/page_readings.hpp"

#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

/// The asks of the last step that serve the purpose.
std::vector<Ask> asks_for(BoardOnScreen const& screen, Purpose purpose) {
  std::vector<Ask> out;
  for (auto const& effect : screen.effects)
    if (auto const* ask = std::get_if<Ask>(&effect); ask && ask->purpose == purpose) out.push_back(*ask);
  return out;
}

service::Card card_of_run(core::RunId run, core::Revision rev) {
  service::Card card = a_card(1).in("in-progress").run_by("ada").rev(rev);
  card.run->id = run;
  return card;
}

/// The page with the changes of task 1, which is in review after run 10.
BoardOnScreen with_changes() {
  BoardOnScreen screen{{a_card(1).in("review").rev(4)}};
  screen.type("v");
  screen.happens(Answered{screen.ask(), boost::json::object{{"run", 10}, {"diff", "+first"}}});
  return screen;
}

core::Task task_in_review(core::RunId run, core::Revision rev) {
  auto task = task_of(a_card(1).in("review").rev(rev));
  task.run = run;
  task.can = {"accept"};
  return task;
}

}  // namespace

TEST_CASE("TaskPage.IsReadAgainWhenItsTaskHasChanged") {
  BoardOnScreen screen{{a_card(1).rev(1)}};
  screen.press(Key::enter);
  auto const first = asks_for(screen, Purpose::task);
  REQUIRE(first.size() == 1);
  screen.changes({a_card(1, "Second").rev(2)});
  CHECK(asks_for(screen, Purpose::task).empty());
  screen.answer(first.front(), task_of(a_card(1).rev(1)));
  auto const second = asks_for(screen, Purpose::task);
  REQUIRE(second.size() == 1);
  screen.answer(second.front(), task_of(a_card(1, "Second").rev(2)));
  CHECK(screen.effects.empty());
  CHECK(screen.picture().contains("Second"));
  screen.changes({a_card(2)});
  CHECK(screen.effects.empty());
}

TEST_CASE("TaskPage.IsNotAskedForAgainAndAgainWhileItIsRefused") {
  BoardOnScreen screen{{a_card(1).rev(1)}};
  screen.press(Key::enter);
  screen.refuse(asks_for(screen, Purpose::task).front(), core::Code::kBusy, "the server is away");
  CHECK(screen.effects.empty());
  screen.happens(Connection{"the server is away"});
  CHECK(screen.effects.empty());
  screen.happens(Connection{});
  CHECK(asks_for(screen, Purpose::task).size() == 1);
}

TEST_CASE("TaskPage.IsReadAgainWithTheFilesOfItsBoard") {
  BoardOnScreen screen{{a_card(1)}, false};
  screen.press(Key::enter);
  screen.answer(screen.ask(), task_of(a_card(1)));
  CHECK(screen.effects.empty());
  screen.read(flow_board(), {a_card(1)}, false);
  CHECK(screen.operation() == "get_task");
}

TEST_CASE("OutputPage.BeginsWithTheFirstRun") {
  BoardOnScreen screen{{a_card(1).rev(1)}};
  screen.type("o");
  screen.happens(Answered{screen.ask(), boost::json::object{{"items", boost::json::array{}}}});
  CHECK(screen.picture().contains("Nobody has worked on it yet."));
  screen.changes({card_of_run(10, 2)});
  REQUIRE(asks_for(screen, Purpose::runs).size() == 1);
  screen.happens(Answered{screen.ask(), boost::json::object{{"items", {{{"id", 10}}}}}});
  CHECK_FALSE(screen.picture().contains("Nobody has worked on it yet."));
  REQUIRE(screen.effects.size() == 1);
  CHECK(std::get<ReadOutput>(screen.effects.front()).run == 10);
}

TEST_CASE("OutputPage.GoesOnWithTheNextRunBelowTheLast") {
  BoardOnScreen screen{{card_of_run(10, 1)}};
  screen.type("o");
  screen.happens(Answered{screen.ask(), boost::json::object{{"items", {{{"id", 10}}}}}});
  screen.happens(OutputRead{10, api::OutputPage{{{{}, "text", "from the first"}}, "a", false}});
  screen.changes({card_of_run(11, 2)});
  REQUIRE(asks_for(screen, Purpose::runs).size() == 1);
  screen.changes({card_of_run(11, 3)});
  CHECK(asks_for(screen, Purpose::runs).empty());
  boost::json::array const runs{{{"id", 10}}, {{"id", 11}, {"attempt", 2}, {"worker", "ada"}}};
  Ask ask;
  ask.purpose = Purpose::runs;
  ask.task = 1;
  screen.happens(Answered{ask, boost::json::object{{"items", runs}}});
  REQUIRE(screen.effects.size() == 1);
  CHECK(std::get<ReadOutput>(screen.effects.front()).run == 11);
  CHECK(std::get<ReadOutput>(screen.effects.front()).since.empty());
  screen.happens(OutputRead{11, api::OutputPage{{{{}, "text", "from the second"}}, "b", false}});
  CHECK(screen.picture().contains("from the first"));
  CHECK(screen.picture().contains("attempt 2 by ada"));
  CHECK(screen.picture().contains("from the second"));
}

TEST_CASE("Changes.AreReadAgainWhenTheTaskWasWorkedOnAgain") {
  auto screen = with_changes();
  CHECK(screen.picture().contains("+first"));
  screen.changes({a_card(1).in("review").rev(9)});
  REQUIRE(screen.ask().purpose == Purpose::diff);
  screen.happens(Answered{screen.ask(), boost::json::object{{"run", 11}, {"diff", "+second"}}});
  CHECK(screen.picture().contains("+second"));
  CHECK_FALSE(screen.picture().contains("+first"));
  CHECK(screen.model.notice.text.contains("worked on again"));
}

TEST_CASE("Changes.AreJudgedOnlyAsTheyWereRead") {
  auto screen = with_changes();
  screen.type("a");
  screen.answer(screen.ask(), task_in_review(10, 4));
  CHECK(screen.operation() == "accept_task");
  CHECK(screen.ask().rev == 4);
}

TEST_CASE("Changes.AreNotJudgedWhenTheTaskHasOtherWork") {
  auto screen = with_changes();
  screen.type("a");
  screen.answer(screen.ask(), task_in_review(11, 9));
  CHECK(screen.model.notice.text.contains("other work than these changes"));
  CHECK(screen.operation() == "task_diff");
}

TEST_CASE("Board.DropsChangesOfTheBoardThatWasShownBefore") {
  BoardOnScreen screen{{a_card(1)}};
  service::Snapshot snapshot;
  snapshot.board = flow_board();
  snapshot.board.name = "other";
  screen.happens(BoardRead{std::move(snapshot), true, 2});
  BoardChanged late;
  late.turn = 1;
  late.cards = {a_card(1)};
  screen.happens(std::move(late));
  CHECK(screen.model.data.cards.size() == 0);
}

TEST_CASE("Board.DropsAnswersAboutTasksOfTheBoardThatWasShownBefore") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("n");
  auto const moving = screen.ask();
  service::Snapshot snapshot;
  snapshot.board = flow_board();
  snapshot.board.name = "other";
  screen.happens(BoardRead{std::move(snapshot), true, 2});
  screen.answer(moving, task_of(a_card(1).in("todo").rev(2)));
  CHECK(screen.model.data.cards.size() == 0);
}

TEST_CASE("Board.SaysThatItIsTooLargeToBeReadWhole") {
  BoardOnScreen screen{{a_card(1), a_card(2)}};
  screen.happens(BoardComplete{true});
  CHECK(screen.picture().contains("only the first 2 cards of this board are here"));
}
