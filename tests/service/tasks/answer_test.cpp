#include <doctest/doctest.h>

#include "service/tasks/edit.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::TestApp;

namespace {

core::Task asked(TestApp& app) {
  auto const task = app.create("Task", {.status = "todo"});
  return app.call<&service::block_task>(
      {.id = task.id, .reason = "Which colour?", .choices = {"red, dark", "blue"}});
}

}  // namespace

TEST_CASE("Block.WithChoicesAsksAQuestion") {
  TestApp app;
  auto const task = asked(app);
  REQUIRE(task.question);
  CHECK(task.question->text == "Which colour?");
  CHECK(task.question->choices == std::vector<std::string>{"red, dark", "blue"});
  CHECK(task.question->asked_by.starts_with("user:"));
  CHECK(task.question->asked_at == app.clock.now());
}

TEST_CASE("Block.ByAPersonWithoutChoicesAsksNothing") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  CHECK_FALSE(app.call<&service::block_task>({.id = task.id, .reason = "no key"}).question);
}

TEST_CASE("Block.TakesTenChoicesAtMost") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  std::vector<std::string> choices;
  for (int i = 0; i < 11; ++i) choices.push_back(std::to_string(i));
  auto const error = app.error<&service::block_task>({.id = task.id, .reason = "Which?", .choices = choices});
  CHECK(error.field == "choices");
}

TEST_CASE("Answer.SendsTheTaskBackWhereItWas") {
  TestApp app;
  auto const task = asked(app);
  auto const answered = app.call<&service::answer_task>({.id = task.id, .text = "blue"});
  CHECK(answered.status == "todo");
  CHECK_FALSE(answered.blocked);
  CHECK_FALSE(answered.question);
}

TEST_CASE("Answer.IsFreeTextAndNeedsNoQuestion") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  app.call<&service::block_task>({.id = task.id, .reason = "no key"});
  CHECK(app.call<&service::answer_task>({.id = task.id, .text = "It is in the safe"}).stage == Stage::ready);
}

TEST_CASE("Answer.IsRefusedWhereNothingIsBlocked") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  CHECK(app.refusal<&service::answer_task>({.id = task.id, .text = "blue"}) == "STATUS_CONFLICT");
}

TEST_CASE("Answer.WithoutATextIsRefused") {
  TestApp app;
  auto const task = asked(app);
  CHECK(app.error<&service::answer_task>({.id = task.id, .text = ""}).field == "text");
}

TEST_CASE("Answer.StandsInTheHistoryWithItsQuestion") {
  TestApp app;
  auto const task = asked(app);
  auto const asked_at = core::to_text(task.question->asked_at);
  app.call<&service::answer_task>({.id = task.id, .text = "blue"});
  auto const event = app.events().back();
  CHECK(event.kind == core::EventKind::task_answered);
  CHECK(event.data == R"({"text":"blue","question":"Which colour?","asked_at":")" + asked_at + R"("})");
}

TEST_CASE("Answer.OfARunIsForbidden") {
  TestApp app;
  app.add_worker("developer");
  app.create("Task", {.status = "todo", .assignee = "developer"});
  auto const run = app.start("developer");
  CHECK(app.refusal<&service::answer_task>({.id = run.task, .text = "blue"}, test::agent(run)) ==
        "FORBIDDEN");
}

TEST_CASE("Question.EndsWhenTheTaskIsBlockedForAnotherReason") {
  TestApp app;
  auto const task = asked(app);
  CHECK_FALSE(
      app.call<&service::edit_task>({.id = task.id, .block = "the printer is out of paper"}).question);
}
