#include <doctest/doctest.h>

#include "tui/board_on_screen.hpp"

using namespace andon;
using namespace andon::tui;
using namespace andon::tui::test;

namespace {

/// A card whose form is open. The task is not read yet.
BoardOnScreen with_edit_form(service::Card const& card) {
  BoardOnScreen screen{{card}};
  screen.type("e");
  return screen;
}

core::Task with_verbs(service::Card const& card, std::vector<std::string> can,
                      std::map<std::string, std::string> cannot = {}) {
  auto task = task_of(card);
  task.can = std::move(can);
  task.cannot = std::move(cannot);
  return task;
}

std::size_t fields_of(Ask const& ask) { return ask.request.size(); }

}  // namespace

TEST_CASE("CreateForm.SendsWhatWasTyped") {
  BoardOnScreen screen{{a_card(1).in("todo")}};
  screen.type("cFix the cart");
  screen.press(Key::tab);
  screen.type("It breaks.");
  screen.happens(KeyPress{.key = Key::enter, .alt = true});
  screen.type("Often.");
  screen.press(Key::tab);
  screen.type("k");
  screen.press(Key::tab);
  screen.type("shop, urgent ,");
  screen.press(Key::enter);
  REQUIRE(screen.operation() == "create_task");
  auto const& request = screen.ask().request;
  CHECK(request.at("title") == "Fix the cart");
  CHECK(request.at("body") == "It breaks.\nOften.");
  CHECK(request.at("priority") == "high");
  CHECK(request.at("tags") == boost::json::array{"shop", "urgent"});
  CHECK(request.at("status") == "todo");
  CHECK(request.at("board") == "shop");
  screen.answer(screen.ask(), task_of(a_card(7, "Fix the cart").in("todo")));
  CHECK(screen.model.dialogs.empty());
  CHECK(screen.selected() == 7);
}

TEST_CASE("CreateForm.NeedsATitle") {
  BoardOnScreen screen;
  screen.type("c  ");
  screen.press(Key::tab);
  screen.press(Key::enter);
  CHECK(screen.effects.empty());
  CHECK(screen.model.notice.text == "a task needs a title");
  CHECK(screen.top<TaskForm>()->step == 0);
}

TEST_CASE("CreateForm.IsOpenAgainAfterARefusal") {
  BoardOnScreen screen;
  screen.type("cFix it");
  screen.press(Key::enter);
  screen.refuse(screen.ask(), core::Code::kWipLimitExceeded, "backlog is full");
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.picture().contains("WIP limit: backlog is full"));
  screen.type("!");
  screen.press(Key::enter);
  CHECK(screen.ask().request.at("title") == "Fix it!");
}

TEST_CASE("EditForm.SendsOnlyWhatChangedForTheRevisionThatWasRead") {
  auto const card = a_card(3, "Fix it").tagged("shop");
  auto screen = with_edit_form(card);
  REQUIRE(screen.operation() == "get_task");
  auto task = task_of(card);
  task.body = "As it was\n";
  task.rev = 8;
  screen.answer(screen.ask(), task);
  screen.type("!");
  screen.press(Key::enter);
  REQUIRE(screen.operation() == "update_task");
  CHECK(screen.ask().request == boost::json::object{{"id", 3}, {"title", "Fix it!"}});
  CHECK(screen.ask().rev == 8);
}

TEST_CASE("EditForm.ClosesWhenNothingChanged") {
  service::Card card = a_card(3, "a\u202e\tb").tagged("one, two");
  card.priority = "unheard-of";
  auto screen = with_edit_form(card);
  screen.answer(screen.ask(), task_of(card));
  screen.press(Key::enter);
  CHECK(screen.effects.empty());
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("EditForm.ChoosesAPriorityInsteadOfAnUnknownOne") {
  auto const card = a_card(3).priority("unheard-of");
  auto screen = with_edit_form(card);
  screen.answer(screen.ask(), task_of(card));
  screen.press(Key::tab);
  screen.press(Key::tab);
  screen.type("kj");
  screen.press(Key::enter);
  CHECK(screen.ask().request == boost::json::object{{"id", 3}, {"priority", "critical"}});
}

TEST_CASE("EditForm.KeepsABodyThatWasTypedBeforeTheTaskWasRead") {
  auto screen = with_edit_form(a_card(3));
  auto const reading = screen.ask();
  screen.press(Key::tab);
  screen.type("Mine");
  auto task = task_of(a_card(3));
  task.body = "Theirs";
  screen.answer(reading, task);
  screen.press(Key::enter);
  CHECK(screen.ask().request == boost::json::object{{"id", 3}, {"body", "Mine"}});
}

TEST_CASE("EditForm.SendsItsChangesAfterTheTaskWasRead") {
  auto screen = with_edit_form(a_card(3, "Fix it"));
  auto const reading = screen.ask();
  screen.type("!");
  screen.press(Key::enter);
  CHECK(screen.effects.empty());
  CHECK(screen.picture().contains("saving…"));
  screen.answer(reading, task_of(a_card(3, "Fix it").rev(4)));
  CHECK(screen.ask().request == boost::json::object{{"id", 3}, {"title", "Fix it!"}});
  CHECK(screen.ask().rev == 4);
  screen.answer(screen.ask(), task_of(a_card(3, "Fix it!").rev(5)));
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("EditForm.LeavesTheNextKeysToTheBoard") {
  auto screen = with_edit_form(a_card(3, "Fix it"));
  screen.answer(screen.ask(), task_of(a_card(3, "Fix it")));
  screen.type("!");
  screen.press(Key::enter);
  auto const saving = screen.ask();
  CHECK(screen.model.dialogs.empty());
  screen.type("?");
  CHECK(screen.top<TextPage>());
  screen.refuse(saving, core::Code::kBusy, "the board cannot be reached");
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.top<TaskForm>()->title.text() == "Fix it!");
}

TEST_CASE("EditForm.IsOpenAgainWhenTheTaskCannotBeRead") {
  auto screen = with_edit_form(a_card(3, "Fix it"));
  auto const reading = screen.ask();
  screen.press(Key::enter);
  screen.refuse(reading, core::Code::kBusy, "the board cannot be reached");
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.model.sent.empty());
  CHECK(screen.picture().contains("the board cannot be reached"));
}

TEST_CASE("EditForm.SignsOnABoardOfFiles") {
  BoardOnScreen screen{{a_card(3, "Fix it")}, false};
  screen.type("e");
  screen.answer(screen.ask(), task_of(a_card(3, "Fix it")));
  screen.type("!");
  screen.press(Key::enter);
  CHECK(screen.ask().request.at("claim") == "tui@host");
}

TEST_CASE("Paste.ThatIsTooLongIsRefusedAloud") {
  std::string const long_text(TextField::kLongest + 1, 'a');
  for (std::string const keys : {"c", "e", "/"}) {
    BoardOnScreen screen{{a_card(1, "Cart")}};
    screen.type(keys);
    screen.happens(Paste{long_text});
    CHECK(screen.picture().contains("too long: a text may have 256 KiB; nothing was pasted"));
    screen.happens(Paste{"b"});
    CHECK_FALSE(screen.picture().contains("nothing was pasted"));
  }
}

TEST_CASE("Paste.ThatIsTooLongIsNoTypedBody") {
  auto screen = with_edit_form(a_card(3));
  auto const reading = screen.ask();
  screen.press(Key::tab);
  screen.happens(Paste{std::string(TextField::kLongest + 1, 'a')});
  auto task = task_of(a_card(3));
  task.body = "Theirs";
  screen.answer(reading, task);
  CHECK(screen.top<TaskForm>()->body.text() == "Theirs");
}

TEST_CASE("MovePicker.MovesToTheChosenColumn") {
  BoardOnScreen screen{{a_card(1)}, false};
  screen.type("m");
  REQUIRE(screen.top<Picker>());
  CHECK(screen.top<Picker>()->shown[0] == "backlog (current)");
  CHECK(screen.top<Picker>()->words.back() == "archived");
  screen.type("jj");
  screen.press(Key::enter);
  CHECK(screen.operation() == "move_task");
  CHECK(screen.ask().request ==
        boost::json::object{{"id", 1}, {"status", "in-progress"}, {"claim", "tui@host"}});
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("MovePicker.AsksNothingForTheSameColumnOrAfterEscape") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("m");
  screen.press(Key::enter);
  CHECK(screen.effects.empty());
  screen.type("mj");
  screen.press(Key::escape);
  CHECK(screen.effects.empty());
  CHECK(screen.model.dialogs.empty());
}

TEST_CASE("MovePicker.WalksAsOtherListsDo") {
  BoardOnScreen screen{{a_card(1)}};
  screen.happens(Resized{80, 11});
  screen.type("m");
  auto const at = [&] { return screen.top<Picker>()->at; };
  screen.type("G");
  CHECK(at() == 5);
  screen.type("g");
  CHECK(at() == 0);
  screen.press(Key::page_down);
  CHECK(at() == 3);
  screen.press(Key::end);
  CHECK(at() == 5);
  screen.press(Key::page_up);
  CHECK(at() == 2);
  screen.press(Key::home);
  CHECK(at() == 0);
}

TEST_CASE("BoardPicker.LeavesTheFilterOnItsBoard") {
  BoardOnScreen screen{{a_card(1, "Cart"), a_card(2, "Till")}};
  boost::json::array const names{boost::json::object{{"name", "shop"}}, boost::json::object{{"name", "web"}}};
  auto const choose = [&](Key key) {
    screen.type("B");
    screen.happens(Answered{screen.ask(), boost::json::object{{"items", names}}});
    screen.press(key);
    screen.press(Key::enter);
  };
  screen.type("/Cart");
  screen.press(Key::enter);
  choose(Key::up);
  CHECK(screen.model.data.cards.filter() == "Cart");
  choose(Key::down);
  screen.read(flow_board("web"), {a_card(3, "Page")});
  CHECK(screen.rows("backlog") == std::vector<core::TaskId>{3});
}

TEST_CASE("MoveKey.KeepsTheClaimOfItsHolder") {
  BoardOnScreen screen{{a_card(1).in("in-progress").claimed_by("ada")}, false};
  screen.type("n");
  CHECK(screen.ask().request == boost::json::object{{"id", 1}, {"status", "review"}, {"claim", "ada"}});
}

TEST_CASE("MoveKey.NamesNobodysClaimToAServer") {
  BoardOnScreen screen{{a_card(1).in("in-progress").claimed_by("ada")}};
  screen.type("n");
  CHECK(screen.ask().request == boost::json::object{{"id", 1}, {"status", "review"}});
  screen.type("+");
  CHECK_FALSE(screen.ask().request.contains("claim"));
}

TEST_CASE("MoveKey.StopsAtTheEnds") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("p");
  CHECK(screen.effects.empty());
  CHECK(screen.model.notice.text == "#1 is in the first column");
}

TEST_CASE("PriorityKey.StopsAtTheEndsAndAtUnknownOnes") {
  BoardOnScreen screen{{a_card(1).priority("critical")}};
  screen.type("+");
  CHECK(screen.model.notice.text == "#1 has the highest priority");
  screen.type("-");
  CHECK(screen.ask().request.at("priority") == "high");
  screen.changes({a_card(1).priority("odd").rev(2)});
  screen.type("-");
  CHECK(screen.effects.empty());
  CHECK(screen.model.notice.text == "this board has no priority \"odd\"");
}

TEST_CASE("DeleteKey.AsksFirst") {
  BoardOnScreen screen{{a_card(1, "Old"), a_card(2)}};
  screen.type("jd");
  REQUIRE(screen.top<Confirmation>());
  CHECK(screen.picture().contains("#1: Old"));
  screen.type("n");
  CHECK(screen.effects.empty());
  screen.type("dy");
  REQUIRE(screen.operation() == "delete_task");
  screen.happens(Answered{screen.ask(), boost::json::object{{"status", "deleted"}, {"id", 1}}});
  CHECK(screen.selected() == 2);
  CHECK(screen.rows("backlog").size() == 1);
}

TEST_CASE("VerbKey.RunsTheOperationThatIsPossible") {
  auto const card = a_card(1, "Cart").in("review");
  BoardOnScreen screen{{card}};
  screen.type("a");
  REQUIRE(screen.operation() == "get_task");
  screen.answer(screen.ask(), with_verbs(card, {"accept", "reject"}));
  REQUIRE(screen.operation() == "accept_task");
  CHECK(fields_of(screen.ask()) == 1);
  screen.answer(screen.ask(), task_of(a_card(1, "Cart").in("done").rev(2)));
  CHECK(screen.model.notice.text == "Accepted task #1: Cart");
  CHECK_FALSE(screen.model.notice.is_refusal);
}

TEST_CASE("VerbKey.TellsWhyNothingIsPossible") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("t");
  screen.answer(screen.ask(), with_verbs(a_card(1), {"approve"}, {{"retry", "it has not failed"}}));
  CHECK(screen.effects.empty());
  CHECK(screen.model.notice.text == "retry: it has not failed");
  screen.type("t");
  screen.answer(screen.ask(), with_verbs(a_card(1), {}));
  CHECK(screen.model.notice.text == "the key t does nothing for #1 now");
}

TEST_CASE("VerbKey.AsksForAText") {
  BoardOnScreen screen{{a_card(1).in("review")}};
  screen.type("x");
  screen.answer(screen.ask(), with_verbs(a_card(1), {"reject"}));
  REQUIRE(screen.top<TextPrompt>());
  screen.press(Key::enter);
  CHECK(screen.effects.empty());
  CHECK(screen.model.notice.is_refusal);
  screen.type("No tests");
  screen.press(Key::enter);
  CHECK(screen.operation() == "reject_task");
  CHECK(screen.ask().request == boost::json::object{{"id", 1}, {"reason", "No tests"}});
}

TEST_CASE("VerbKey.AnswersAQuestionWithADigit") {
  service::Card const card = a_card(1).asks("Which shop?");
  auto task = with_verbs(card, {"answer"});
  task.question = card.question;
  task.question->choices = {"both", "neither"};
  BoardOnScreen screen{{card}};
  screen.type("a");
  screen.answer(screen.ask(), task);
  screen.type("3");
  REQUIRE(screen.top<TextPrompt>());
  CHECK(screen.top<TextPrompt>()->text.text() == "3");
  screen.type("2");
  CHECK(screen.top<TextPrompt>()->text.text() == "32");
  screen.press(Key::escape);
  screen.type("a");
  screen.answer(screen.ask(), task);
  screen.type("2");
  CHECK(screen.ask().request ==
        boost::json::object{{"id", 1}, {"question", "Which shop?"}, {"text", "neither"}});
}

TEST_CASE("VerbKey.AsksBeforeWorkIsStopped") {
  BoardOnScreen screen{{a_card(1).in("in-progress").run_by("ada")}};
  screen.type("K");
  screen.answer(screen.ask(), with_verbs(a_card(1), {"kill"}));
  REQUIRE(screen.top<Confirmation>());
  CHECK(screen.effects.empty());
  screen.type("y");
  CHECK(screen.operation() == "kill_task");
}

TEST_CASE("VerbKey.InterruptsNobodyWhoTypesMeanwhile") {
  BoardOnScreen screen{{a_card(1).in("in-progress").run_by("ada")}};
  screen.type("K");
  auto const reading = screen.ask();
  screen.type("cMy");
  screen.answer(reading, with_verbs(a_card(1), {"kill"}));
  screen.type(" y");
  CHECK(screen.effects.empty());
  REQUIRE(screen.top<TaskForm>());
  CHECK(screen.top<TaskForm>()->title.text() == "My y");
}

TEST_CASE("VerbKey.WorksOnTheTaskOfAnOpenPage") {
  BoardOnScreen screen{{a_card(1).in("review")}};
  screen.press(Key::enter);
  screen.answer(std::get<Ask>(screen.effects.front()), task_of(a_card(1).in("review")));
  screen.type("a");
  screen.answer(screen.ask(), with_verbs(a_card(1), {"accept"}));
  screen.answer(screen.ask(), task_of(a_card(1).in("done").rev(2)));
  CHECK(screen.effects.size() == 2);
  CHECK(screen.top<TaskPage>());
}

TEST_CASE("Cord.IsPulledAtOnceAndReleasedAfterAQuestion") {
  BoardOnScreen screen{{a_card(1)}};
  screen.type("!");
  CHECK(screen.operation() == "freeze");
  BoardChanged changed;
  changed.dispatch.emplace().stopped.emplace().by = "person:eve";
  screen.happens(std::move(changed));
  CHECK(screen.picture().contains("STOPPED by person:eve"));
  screen.type("!");
  CHECK(screen.effects.empty());
  screen.type("y");
  CHECK(screen.operation() == "thaw");
}

TEST_CASE("Keys.OfAServerMeanNothingOnFiles") {
  BoardOnScreen screen{{a_card(1)}, false};
  screen.type("iowB!P");
  CHECK(screen.effects.empty());
  CHECK(screen.model.dialogs.empty());
}
