#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using core::Stage;
using test::House;
using test::on;

namespace {

core::Task asked(House& house) {
  auto const task = house.create("Task", R"("status":"todo")");
  return house.task("block_task", on(task.id, R"("reason":"Which colour?","choices":["red, dark","blue"])"));
}

}  // namespace

TEST_CASE("Block.WithChoicesAsksAQuestion") {
  House house;
  auto const task = asked(house);
  REQUIRE(task.question);
  CHECK(task.question->text == "Which colour?");
  CHECK(task.question->choices == std::vector<std::string>{"red, dark", "blue"});
  CHECK(task.question->asked_by.starts_with("user:"));
  CHECK(task.question->asked_at == house.clock.now());
}

TEST_CASE("Block.ByAPersonWithoutChoicesAsksNothing") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  CHECK_FALSE(house.task("block_task", on(task.id, R"("reason":"no key")")).question);
}

TEST_CASE("Block.TakesTenChoicesAtMost") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  std::string choices;
  for (int i = 0; i < 11; ++i) choices += (i ? ",\"" : "\"") + std::to_string(i) + '"';
  auto const error =
      house.error("block_task", on(task.id, R"("reason":"Which?","choices":[)" + choices + "]"));
  CHECK(error.field == "choices");
}

TEST_CASE("Answer.SendsTheTaskBackWhereItWas") {
  House house;
  auto const task = asked(house);
  auto const answered = house.task("answer_task", on(task.id, R"("text":"blue")"));
  CHECK(answered.status == "todo");
  CHECK_FALSE(answered.blocked);
  CHECK_FALSE(answered.question);
}

TEST_CASE("Answer.IsFreeTextAndNeedsNoQuestion") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  house.task("block_task", on(task.id, R"("reason":"no key")"));
  CHECK(house.task("answer_task", on(task.id, R"("text":"It is in the safe")")).stage == Stage::ready);
}

TEST_CASE("Answer.IsRefusedWhereNothingIsBlocked") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  CHECK(house.refusal("answer_task", on(task.id, R"("text":"blue")")) == "STATUS_CONFLICT");
}

TEST_CASE("Answer.WithoutATextIsRefused") {
  House house;
  auto const task = asked(house);
  CHECK(house.error("answer_task", on(task.id, R"("text":"")")).field == "text");
}

TEST_CASE("Answer.StandsInTheHistoryWithItsQuestion") {
  House house;
  auto const task = asked(house);
  house.task("answer_task", on(task.id, R"("text":"blue")"));
  auto const event = house.events().back();
  CHECK(event.kind == core::EventKind::task_answered);
  CHECK(event.data == R"({"text":"blue","question":"Which colour?"})");
}

TEST_CASE("Answer.OfARunIsForbidden") {
  House house;
  house.add_worker("developer");
  house.create("Task", R"("status":"todo","assignee":"developer")");
  auto const run = house.start("developer");
  CHECK(house.refusal("answer_task", on(run.task, R"("text":"blue")"), test::agent(run)) == "FORBIDDEN");
}

TEST_CASE("Question.EndsWhenTheTaskIsBlockedForAnotherReason") {
  House house;
  auto const task = asked(house);
  CHECK_FALSE(house.task("update_task", on(task.id, R"("block":"the printer is out of paper")")).question);
}
