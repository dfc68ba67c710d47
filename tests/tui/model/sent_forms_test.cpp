#include "tui/model/sent_forms.hpp"

#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

core::Task a_task(std::string title, std::string body, core::Revision rev) {
  auto task = task_of(a_card(3, std::move(title)).tagged("shop"));
  task.body = std::move(body);
  task.rev = rev;
  return task;
}

/// A form that edits task 3, with "!" typed behind its title and sent; the refusal says that the task has
/// changed.
BoardOnScreen with_refused_edit() {
  BoardOnScreen screen{{a_card(3, "Fix it").tagged("shop")}};
  screen.type("e");
  screen.answer(screen.ask(), a_task("Fix it", "As it was", 8));
  screen.type("!");
  screen.press(Key::enter);
  screen.refuse(screen.ask(), core::Code::kRevMismatch, "task #3 has changed since; read it again");
  return screen;
}

}  // namespace

TEST_CASE("SentForm.IsPutOnTheTaskAsItIsNow") {
  auto screen = with_refused_edit();
  REQUIRE(screen.operation() == "get_task");
  screen.answer(screen.ask(), a_task("Fix it", "As others wrote it", 9));
  REQUIRE(screen.operation() == "update_task");
  CHECK(screen.ask().request == boost::json::object{{"id", 3}, {"title", "Fix it!"}});
  CHECK(screen.ask().rev == 9);
  CHECK(screen.model.dialogs.empty());
  CHECK(screen.model.notice.text.empty());
}

TEST_CASE("SentForm.OpensAgainWhereBothSidesChangedAField") {
  auto screen = with_refused_edit();
  screen.answer(screen.ask(), a_task("Mend it", "As others wrote it", 9));
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.top<TaskForm>()->title.text() == "Fix it!");
  CHECK(screen.top<TaskForm>()->body.text() == "As others wrote it");
  CHECK(screen.model.notice.text.contains("changed by somebody else, too (title)"));
  screen.press(Key::enter);
  CHECK(screen.ask().request == boost::json::object{{"id", 3}, {"title", "Fix it!"}});
  CHECK(screen.ask().rev == 9);
}

TEST_CASE("SentForm.IsDoneWhenOthersMadeItsChange") {
  auto screen = with_refused_edit();
  screen.answer(screen.ask(), a_task("Fix it!", "As it was", 9));
  CHECK(screen.effects.empty());
  CHECK(screen.model.dialogs.empty());
  CHECK(screen.model.sent.empty());
}

TEST_CASE("SentForm.OpensAgainWhenItsTaskChangesAllTheTime") {
  auto screen = with_refused_edit();
  int readings = 0;
  for (std::int64_t rev = 9; rev < 40 && screen.operation() == "get_task"; ++rev) {
    ++readings;
    screen.answer(screen.ask(), a_task("Fix it", "As it was", core::Revision{rev}));
    REQUIRE(screen.operation() == "update_task");
    screen.refuse(screen.ask(), core::Code::kRevMismatch, "task #3 has changed since; read it again");
  }
  CHECK(readings == 5);
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.top<TaskForm>()->title.text() == "Fix it!");
  CHECK(screen.model.notice.text.contains("has changed since"));
}
