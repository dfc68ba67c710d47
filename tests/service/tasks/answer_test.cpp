#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::on;
using test::TestApp;

namespace {

core::Task asked(TestApp& app) {
  auto const task = app.create("Task", R"("status":"todo")");
  return app.task("block_task", on(task.id, R"("reason":"Which colour?","choices":["red, dark","blue"])"));
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
  auto const task = app.create("Task", R"("status":"todo")");
  CHECK_FALSE(app.task("block_task", on(task.id, R"("reason":"no key")")).question);
}

TEST_CASE("Block.TakesTenChoicesAtMost") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  std::string choices;
  for (int i = 0; i < 11; ++i) choices += (i ? ",\"" : "\"") + std::to_string(i) + '"';
  auto const error = app.error("block_task", on(task.id, R"("reason":"Which?","choices":[)" + choices + "]"));
  CHECK(error.field == "choices");
}

TEST_CASE("Answer.SendsTheTaskBackWhereItWas") {
  TestApp app;
  auto const task = asked(app);
  auto const answered = app.task("answer_task", on(task.id, R"("text":"blue")"));
  CHECK(answered.status == "todo");
  CHECK_FALSE(answered.blocked);
  CHECK_FALSE(answered.question);
}

TEST_CASE("Answer.IsFreeTextAndNeedsNoQuestion") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  app.task("block_task", on(task.id, R"("reason":"no key")"));
  CHECK(app.task("answer_task", on(task.id, R"("text":"It is in the safe")")).stage == Stage::ready);
}

TEST_CASE("Answer.IsRefusedWhereNothingIsBlocked") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  CHECK(app.refusal("answer_task", on(task.id, R"("text":"blue")")) == "STATUS_CONFLICT");
}

TEST_CASE("Answer.WithoutATextIsRefused") {
  TestApp app;
  auto const task = asked(app);
  CHECK(app.error("answer_task", on(task.id, R"("text":"")")).field == "text");
}

TEST_CASE("Answer.StandsInTheHistoryWithItsQuestion") {
  TestApp app;
  auto const task = asked(app);
  auto const asked_at = core::to_text(task.question->asked_at);
  app.task("answer_task", on(task.id, R"("text":"blue")"));
  auto const event = app.events().back();
  CHECK(event.kind == core::EventKind::task_answered);
  CHECK(event.data == R"({"text":"blue","question":"Which colour?","asked_at":")" + asked_at + R"("})");
}

TEST_CASE("Answer.OfARunIsForbidden") {
  TestApp app;
  app.add_worker("developer");
  app.create("Task", R"("status":"todo","assignee":"developer")");
  auto const run = app.start("developer");
  CHECK(app.refusal("answer_task", on(run.task, R"("text":"blue")"), test::agent(run)) == "FORBIDDEN");
}

TEST_CASE("Question.EndsWhenTheTaskIsBlockedForAnotherReason") {
  TestApp app;
  auto const task = asked(app);
  CHECK_FALSE(app.task("update_task", on(task.id, R"("block":"the printer is out of paper")")).question);
}
