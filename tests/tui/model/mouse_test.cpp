#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;
using std::chrono::milliseconds;
using Mouse = MouseEvent::What;

namespace {

BoardOnScreen with_two_columns() {
  return BoardOnScreen{{a_card(1), a_card(2), a_card(3).in("todo"), a_card(4).in("todo")}};
}

}  // namespace

TEST_CASE("Click.Selects") {
  auto screen = with_two_columns();
  screen.click(screen.place_of(3));
  CHECK(screen.selected() == 3);
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("Click.OpensWhenItIsTheSecondWithinHalfASecond") {
  auto screen = with_two_columns();
  screen.click(screen.place_of(3));
  screen.pass(milliseconds{500});
  screen.click(screen.place_of(3));
  REQUIRE(screen.top<TaskPage>());
  CHECK(screen.top<TaskPage>()->task == 3);
}

TEST_CASE("Click.OpensNothingLaterOrOnAnotherCard") {
  auto screen = with_two_columns();
  screen.click(screen.place_of(3));
  screen.pass(milliseconds{501});
  screen.click(screen.place_of(3));
  screen.click(screen.place_of(4));
  CHECK(screen.model.dialogs.empty());
  screen.press(Key::up);
  screen.click(screen.place_of(4));
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("Click.OnTheLastRowOfAPageGoesBack") {
  auto screen = with_two_columns();
  screen.press(Key::enter);
  screen.click({3, 20});
  CHECK(screen.top<TaskPage>());
  screen.click({3, 39});
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("Click.OnTheLastRowLosesNoForm") {
  auto screen = with_two_columns();
  screen.type("cTyped");
  screen.click({3, 39});
  CHECK(screen.top<TaskForm>());
}

TEST_CASE("Click.WithoutTheMouseOrWithAModifierDoesNothing") {
  auto screen = with_two_columns();
  auto const selected = screen.selected();
  screen.happens(MouseEvent{Mouse::press, screen.place_of(3), true, true});
  screen.happens(MouseEvent{Mouse::release, screen.place_of(3), true, true});
  CHECK(screen.selected() == selected);
  screen.model.options.mouse = false;
  screen.click(screen.place_of(3));
  CHECK(screen.selected() == selected);
}

TEST_CASE("Drag.ToItsOwnColumnOrOutsideMovesNothing") {
  auto screen = with_two_columns();
  screen.drag(screen.place_of(1), screen.place_of(2));
  CHECK(screen.effects.empty());
  screen.drag(screen.place_of(1), {300, 100});
  CHECK(screen.effects.empty());
  CHECK(screen.model.notice.text.empty());
}

TEST_CASE("Drag.TellsWhereItWouldMove") {
  auto screen = with_two_columns();
  screen.happens(MouseEvent{Mouse::press, screen.place_of(1)});
  screen.happens(MouseEvent{Mouse::drag, screen.place_of(3)});
  CHECK(screen.picture().contains("Move #1 to todo"));
}

TEST_CASE("Wheel.GoesThroughTheColumnUnderIt") {
  auto screen = with_two_columns();
  screen.happens(MouseEvent{Mouse::wheel_down, screen.place_of(4)});
  CHECK(screen.selected() == 3);
  screen.happens(MouseEvent{Mouse::wheel_down, screen.place_of(4)});
  CHECK(screen.selected() == 3);
  screen.happens(MouseEvent{Mouse::wheel_up, screen.place_of(4)});
  CHECK(screen.selected() == 4);
  screen.happens(MouseEvent{Mouse::wheel_up, {300, 100}});
  CHECK(screen.selected() == 4);
}

TEST_CASE("Wheel.ScrollsAPage") {
  auto screen = with_two_columns();
  screen.happens(Resized{80, 10});
  screen.type("?");
  screen.happens(MouseEvent{Mouse::wheel_down, {1, 1}});
  CHECK(screen.top<TextPage>()->offset == 3);
  screen.happens(MouseEvent{Mouse::wheel_up, {1, 1}});
  screen.happens(MouseEvent{Mouse::wheel_up, {1, 1}});
  CHECK(screen.top<TextPage>()->offset == 0);
}
