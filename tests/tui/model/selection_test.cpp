#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;
using Ids = std::vector<core::TaskId>;

namespace {

std::vector<service::Card> many_cards(int count) {
  std::vector<service::Card> out;
  for (int i = 1; i <= count; ++i) out.push_back(a_card(core::TaskId{i}, "Task number " + std::to_string(i)));
  return out;
}

}  // namespace

TEST_CASE("Order.IsThePriorityAndThenTheNewestTask") {
  BoardOnScreen screen{{a_card(1), a_card(2).priority("high"), a_card(3), a_card(4).priority("low")}};
  CHECK(screen.rows("backlog") == Ids{2, 3, 1, 4});
}

TEST_CASE("Order.GoesThroughItsFields") {
  BoardOnScreen screen{{a_card(1, "b").updated(90).created(5), a_card(2, "C").created(9).priority("high"),
                        a_card(3, "a").created(7)}};
  screen.type("s");
  CHECK(screen.rows("backlog") == Ids{2, 3, 1});
  screen.type("s");
  CHECK(screen.rows("backlog") == Ids{1, 3, 2});
  screen.type("s");
  CHECK(screen.rows("backlog") == Ids{3, 1, 2});
  screen.type("S");
  CHECK(screen.rows("backlog") == Ids{2, 1, 3});
  screen.type("s");
  CHECK(screen.rows("backlog") == Ids{2, 3, 1});
}

TEST_CASE("Filter.FindsTitlesTagsAndNumbers") {
  BoardOnScreen screen{
      {a_card(1, "Größe anpassen"), a_card(12, "Pay").tagged("Billing"), a_card(121, "Ship")}};
  auto const found = [&](std::string_view text) {
    screen.type("/");
    screen.type(text);
    screen.press(Key::enter);
    auto rows = screen.rows("backlog");
    screen.press(Key::escape);
    return rows;
  };
  CHECK(found("gRÖSSE").empty());
  CHECK(found("GRÖ") == Ids{1});
  CHECK(found("billing") == Ids{12});
  CHECK(found("#12") == Ids{121, 12});
  CHECK(found("#12 ") == Ids{12});
  CHECK(found("#") == Ids{});
  CHECK(screen.rows("backlog") == Ids{121, 12, 1});
}

TEST_CASE("Filter.IsTakenBackByEscapeWhileItIsTyped") {
  BoardOnScreen screen{{a_card(1, "Pay"), a_card(2, "Ship")}};
  screen.type("/pay");
  CHECK(screen.rows("backlog") == Ids{1});
  screen.press(Key::escape);
  CHECK(screen.rows("backlog") == Ids{2, 1});
  CHECK(screen.effects.empty());
}

TEST_CASE("Selection.StaysOnItsTaskWhenTheOrderChanges") {
  BoardOnScreen screen{{a_card(1, "z"), a_card(2, "a"), a_card(3, "m")}};
  screen.type("j");
  CHECK(screen.selected() == 2);
  screen.type("sss");
  CHECK(screen.selected() == 2);
  CHECK(screen.model.selection.row == 0);
}

TEST_CASE("Selection.StaysOnItsTaskWhenCardsComeAndGo") {
  BoardOnScreen screen{{a_card(1), a_card(2), a_card(3)}};
  screen.type("j");
  screen.changes({a_card(9).priority("critical")});
  CHECK(screen.selected() == 2);
  screen.changes({}, {3, 9});
  CHECK(screen.selected() == 2);
  screen.changes({}, {2});
  CHECK(screen.selected() == 1);
  screen.changes({}, {1});
  CHECK(screen.selected() == 0);
}

TEST_CASE("Selection.StaysInTheColumnWhenAKeyMovesItsTask") {
  BoardOnScreen screen{{a_card(1), a_card(2), a_card(3)}};
  screen.type("n");
  REQUIRE(screen.operation() == "move_task");
  CHECK(screen.ask().request.at("status") == "todo");
  screen.answer(screen.ask(), task_of(a_card(3).in("todo").rev(2)));
  CHECK(screen.rows("todo") == Ids{3});
  CHECK(screen.selected_column() == "backlog");
  CHECK(screen.selected() == 2);
}

TEST_CASE("Selection.FollowsATaskThatIsDragged") {
  BoardOnScreen screen{{a_card(1), a_card(2), a_card(3).in("todo")}};
  auto const target = screen.place_of(3);
  screen.drag(screen.place_of(1), target);
  REQUIRE(screen.operation() == "move_task");
  screen.answer(screen.ask(), task_of(a_card(1).in("todo").rev(2)));
  CHECK(screen.selected_column() == "todo");
  CHECK(screen.selected() == 1);
}

TEST_CASE("Selection.FollowsNoTaskWhoseDragIsRefused") {
  BoardOnScreen screen{{a_card(1), a_card(2), a_card(3).in("todo")}};
  screen.drag(screen.place_of(1), screen.place_of(3));
  screen.refuse(screen.ask(), core::Code::kWipLimitExceeded, "todo is full");
  CHECK(screen.model.notice.text == "WIP limit: todo is full");
  screen.changes({a_card(1).in("todo").rev(2)});
  CHECK(screen.selected_column() == "backlog");
}

TEST_CASE("Selection.StaysWhereItIsWhenSomebodyElseMovesItsTask") {
  BoardOnScreen screen{{a_card(1), a_card(2), a_card(3)}};
  screen.type("j");
  screen.changes({a_card(2).in("todo").rev(2)});
  CHECK(screen.selected_column() == "backlog");
  CHECK(screen.selected() == 1);
}

TEST_CASE("Selection.GoesToTheFirstColumnWithCards") {
  BoardOnScreen screen{{a_card(1).in("review")}};
  CHECK(screen.selected_column() == "review");
  screen.read(flow_board("other"), {a_card(7).in("done")});
  CHECK(screen.selected_column() == "done");
  CHECK(screen.selected() == 7);
}

TEST_CASE("Scrolling.KeepsTheSelectedCardInSight") {
  BoardOnScreen screen{many_cards(40)};
  for (int i = 0; i < 39; ++i) {
    screen.type("j");
    CAPTURE(i);
    CHECK(screen.is_in_sight(screen.selected()));
  }
  CHECK(screen.selected() == 1);
  screen.type("j");
  CHECK(screen.selected() == 1);
  for (int i = 0; i < 39; ++i) {
    screen.type("k");
    CHECK(screen.is_in_sight(screen.selected()));
  }
  CHECK(screen.selected() == 40);
}

TEST_CASE("Scrolling.KeepsTheSelectedCardInSightWhileCardsGrow") {
  std::vector<service::Card> cards = many_cards(40);
  for (auto& card : cards) card.priority.clear(), card.updated = at_minute(600);
  BoardOnScreen screen{std::move(cards)};
  while (screen.in_sight().back() != screen.selected()) screen.type("j");
  auto const before = screen.in_sight().size();
  screen.pass(std::chrono::hours{3});
  screen.happens(Tick{});
  CHECK(screen.in_sight().size() < before);  // each has one more line, with its age
  CHECK(screen.is_in_sight(screen.selected()));
}

TEST_CASE("Scrolling.GoesToTheEndsAndByPages") {
  BoardOnScreen screen{many_cards(40)};
  auto const page = screen.in_sight().size();
  screen.press(Key::page_down);
  CHECK(screen.model.selection.row == page);
  screen.type("G");
  CHECK(screen.selected() == 1);
  screen.type("g");
  CHECK(screen.selected() == 40);
  CHECK(screen.in_sight().front() == 40);
}

TEST_CASE("Scrolling.LeavesNoColumnBlankWhenItsCardsGo") {
  auto cards = many_cards(40);
  cards.push_back(a_card(99, "Special").in("todo"));
  BoardOnScreen screen{std::move(cards)};
  screen.type("Gl");
  CHECK(screen.selected() == 99);
  std::vector<core::TaskId> gone;
  for (int i = 10; i <= 40; ++i) gone.emplace_back(i);
  screen.changes({}, gone);
  CHECK(screen.in_sight().size() == 10);
}

TEST_CASE("Columns.AreLeftOutWhenTheyAreEmptyAndThatIsAsked") {
  BoardOnScreen screen{{a_card(1), a_card(2).in("review")}};
  CHECK(shown_columns(screen.model).size() == 5);
  screen.model.options.hide_empty_columns = true;
  CHECK(shown_columns(screen.model) == std::vector<std::size_t>{0, 3});
  screen.type("l");
  CHECK(screen.selected() == 2);
  screen.changes({}, {2});
  CHECK(screen.selected() == 1);
  CHECK(screen.selected_column() == "backlog");
  screen.changes({}, {1});
  CHECK(shown_columns(screen.model).size() == 5);
}

TEST_CASE("Columns.AreLeftOutWhenTheBoardSaysSo") {
  auto board = flow_board();
  board.tui.emplace().hide_empty_columns = true;
  BoardOnScreen screen;
  screen.read(board, {a_card(1)});
  CHECK(shown_columns(screen.model).size() == 1);
  screen.model.options.hide_empty_columns = false;
  CHECK(shown_columns(screen.model).size() == 5);
}

TEST_CASE("Columns.OfANarrowScreenAreShownOneAtATime") {
  BoardOnScreen screen{{a_card(1), a_card(2).in("todo")}};
  screen.happens(Resized{40, 20});
  CHECK(layout_of(screen.model).has_tabs);
  CHECK(screen.in_sight() == Ids{1});
  screen.type("l");
  CHECK(screen.in_sight() == Ids{2});
  screen.happens(Resized{120, 40});
  CHECK_FALSE(layout_of(screen.model).has_tabs);
  screen.model.options.narrow = true;
  CHECK(layout_of(screen.model).has_tabs);
}
