#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::on;
using test::TestApp;

namespace {

/// A strict board with a coder at work on task 1, and a verdict by whom the test says.
struct Shop : TestApp {
  explicit Shop(std::string_view review_by, std::string_view task = {}) : TestApp("queue") {
    answer("edit_board",
           R"({"board":"queue","chains":[],"checks":{"unit":["true"],"lint":["true"]},"review_by":")" +
               std::string{review_by} + "\"}");
    add_worker("dev", R"("role":"coder")");
    add_worker("judge", R"("role":"reviewer")");
    auto const rest = task.empty() ? "" : "," + std::string{task};
    create("Cart", R"("status":"ready","role":"coder")" + rest);
    run = start("dev");
  }
  /// The open review task of task 1, or nothing.
  std::optional<core::Task> review() {
    std::optional<core::Task> out;
    executor.read([&](service::OperationContext& u) {
      for (auto const id : u.tx.children(1))
        if (auto task = u.tx.task(id); task && task->state.reviews == 1 && !core::is_finished(task->stage) &&
                                       task->flag != core::kReported)
          out = *task;
    });
    return out;
  }
  core::Run run;
};

}  // namespace

TEST_CASE("Review.GreenChecksAndEvidenceAreAcceptedBySystem") {
  Shop shop("checks", R"("checks":["unit"])");
  auto const seq = shop.last_seq();
  shop.finish(shop.run, R"("exit":{"code":0},"commits":["abc"],"checks":[{"name":"unit","passed":true}])");
  CHECK(shop.get(1).stage == Stage::done);
  bool accepted = false;
  for (auto const& event : shop.events(seq))
    if (event.kind == core::EventKind::task_accepted) accepted = event.actor.kind == core::ActorKind::system;
  CHECK(accepted);
}

TEST_CASE("Review.WithoutResultsOrWithoutAWantedOneAPersonIsAsked") {
  for (auto const* ending :
       {R"("exit":{"code":0},"commits":["abc"])",
        R"("exit":{"code":0},"commits":["abc"],"checks":[{"name":"lint","passed":true}])"}) {
    Shop shop("checks", R"("checks":["unit"])");
    shop.finish(shop.run, ending);
    CHECK(shop.get(1).stage == Stage::review);
  }
  Shop by_person("person");
  by_person.finish(by_person.run,
                   R"("exit":{"code":0},"commits":["abc"],"checks":[{"name":"unit","passed":true}])");
  CHECK(by_person.get(1).stage == Stage::review);
}

TEST_CASE("Review.AFailedCheckIsAFailedAttemptThatTheNextOneHearsOf") {
  Shop shop("checks");
  auto const run = shop.finish(
      shop.run,
      R"("exit":{"code":0},"commits":["abc"],"result":"done","checks":[{"name":"unit","passed":false,"output":"2 of 9 failed"}])");
  CHECK(run.outcome == core::Outcome::failed);
  auto const task = shop.stored(1);
  CHECK(task.stage == Stage::ready);
  CHECK(task.not_before);
  CHECK(task.state.last_failure == "check \"unit\" failed:\n2 of 9 failed");
}

TEST_CASE("Review.ChecksDecideOnWhatTheAgentCalledDone") {
  Shop green("checks");
  green.task("complete_task", on(1, R"("result":"made it")"), agent(green.run));
  CHECK(green.get(1).stage == Stage::active);
  CHECK(green.get(1).flag == "reported");
  green.finish(green.run, R"("result":"made it","checks":[{"name":"unit","passed":true}])");
  CHECK(green.get(1).stage == Stage::done);
  Shop red("checks");
  red.task("complete_task", on(1, R"("result":"made it")"), agent(red.run));
  red.finish(red.run, R"("result":"made it","checks":[{"name":"unit","passed":false}])");
  CHECK(red.get(1).stage == Stage::ready);
  CHECK(red.stored(1).state.last_failure == "check \"unit\" failed");
}

TEST_CASE("Review.WorkThatComesBackBeforeItsFirstReviewerHasEndedIsReviewedAnew") {
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  auto const first = shop.review();
  REQUIRE(first);
  auto const judge = shop.start("judge");
  shop.task("reject_task", on(judge.task, R"("reason":"no tests")"), agent(judge));
  shop.finish(shop.start("dev"));
  CHECK(shop.get(1).stage == Stage::review);
  auto const second = shop.review();
  REQUIRE(second);
  CHECK(second->id != first->id);
  CHECK(shop.finish(judge).outcome == core::Outcome::succeeded);
  CHECK(shop.get(first->id).stage == Stage::done);
  CHECK(shop.get(1).flag.empty());
}

TEST_CASE("Review.WhenTheTriesAreUsedUpAFailedCheckFailsTheTask") {
  Shop shop("checks", R"("max_attempts":1)");
  shop.task("complete_task", on(1), agent(shop.run));
  shop.finish(shop.run, R"("checks":[{"name":"unit","passed":false}])");
  CHECK(shop.get(1).stage == Stage::failed);
  CHECK(shop.get(1).flag.empty());
}

TEST_CASE("Review.ARoleReviewsWithATaskOfItsOwn") {
  Shop shop("role:reviewer");
  shop.task("complete_task", on(1, R"("result":"see branch cart")"), agent(shop.run));
  CHECK_FALSE(shop.review());
  shop.finish(shop.run);
  auto const review = shop.review();
  REQUIRE(review);
  CHECK(review->title == "Review #1: Cart");
  CHECK(review->role == "reviewer");
  CHECK(review->stage == Stage::ready);
  CHECK(review->review == core::ReviewRule::none);
  CHECK(shop.get(review->id).body.find("see branch cart") != std::string::npos);

  auto const judge = shop.start("judge");
  CHECK(judge.task == review->id);
  CHECK(shop.refusal("accept_task", on(99), agent(judge)) == "TASK_NOT_FOUND");
  CHECK(shop.task("accept_task", on(1), agent(judge)).stage == Stage::done);
  CHECK(shop.get(review->id).flag == "reported");
  CHECK(shop.finish(judge).outcome == core::Outcome::succeeded);
  CHECK(shop.get(review->id).stage == Stage::done);
}

TEST_CASE("Review.ARejectionByTheRoleSendsTheWorkBackAndTheNextSubmitAsksAnew") {
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  auto const first = shop.review();
  REQUIRE(first);
  auto const judge = shop.start("judge");
  CHECK(shop.task("reject_task", on(judge.task, R"("reason":"no tests")"), agent(judge)).id == 1);
  CHECK(shop.get(1).stage == Stage::ready);
  CHECK(shop.stored(1).state.last_failure == "no tests");
  CHECK_FALSE(shop.review());
  shop.finish(judge);
  shop.finish(shop.start("dev"));
  REQUIRE(shop.review());
  CHECK(shop.review()->id != first->id);
}

TEST_CASE("Review.APersonsVerdictMakesTheReviewTaskNeedless") {
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  auto const review = shop.review();
  REQUIRE(review);
  CHECK(shop.task("accept_task", on(1)).stage == Stage::done);
  CHECK(shop.get(review->id).stage == Stage::archived);
}

TEST_CASE("Review.AReviewThatEndsWithoutAVerdictIsTriedAgain") {
  struct Ending {
    std::string_view report;  ///< the agent's report by a command, if any
    std::string_view members;
    std::string_view end;
  };
  for (auto const& [report, members, end] :
       {Ending{{}, {}, R"("exit":{"code":0})"},
        Ending{{}, {}, R"("result":"looked at it","exit":{"code":0})"},
        Ending{"complete_task", R"("result":"all is well")", R"("exit":{"code":0})"},
        Ending{"complete_task", R"("no_change":"nothing to judge")", R"("exit":{"code":0})"},
        Ending{"handoff_task", R"("note":"somebody else should")", R"("exit":{"code":0})"}}) {
    CAPTURE(std::string{report} + std::string{members} + std::string{end});
    Shop shop("role:reviewer");
    shop.finish(shop.run);
    auto const judge = shop.start("judge");
    if (!report.empty()) shop.answer(report, on(judge.task, members), agent(judge));
    auto const ended = shop.finish(judge, end);
    CHECK(ended.outcome == core::Outcome::failed);
    CHECK(ended.reason.starts_with("no verdict"));
    CHECK(shop.get(judge.task).stage == Stage::ready);
    CHECK(shop.get(1).stage == Stage::review);
    CHECK(shop.get(1).flag.empty());
    shop.clock.advance(1h);
    auto const again = shop.start("judge");
    CHECK(again.task == judge.task);
    shop.task("accept_task", on(1), agent(again));
    CHECK(shop.finish(again).outcome == core::Outcome::succeeded);
    CHECK(shop.get(again.task).stage == Stage::done);
    CHECK(shop.get(1).stage == Stage::done);
  }
}

TEST_CASE("Review.WhenItsTriesAreUsedUpWithoutAVerdictAPersonIsAsked") {
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  auto const review = shop.review();
  REQUIRE(review);
  for (int tries = 0; tries < 2; ++tries) {
    shop.finish(shop.start("judge"));
    shop.clock.advance(1h);
  }
  CHECK(shop.get(review->id).stage == Stage::failed);
  CHECK(shop.get(1).stage == Stage::review);
  CHECK(shop.get(1).flag == "no verdict");
}

TEST_CASE("Review.APersonsVerdictDuringAReviewLeavesItsRunNothingToSay") {
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  auto const judge = shop.start("judge");
  shop.task("accept_task", on(1));
  CHECK(shop.finish(judge).outcome == core::Outcome::succeeded);
}

TEST_CASE("Review.AChainOfTheBoardAsksNoRoleThatHasJudgedTheWork") {
  TestApp app("queue");
  app.answer("edit_board", R"({"board":"queue","review_by":"role:qa"})");
  app.add_worker("dev", R"("role":"coder")");
  app.add_worker("judge", R"("role":"qa")");
  app.create("Cart", R"("status":"ready","role":"coder")");
  app.create("Note", R"("status":"ready","role":"coder","review":"none")");
  app.finish(app.start("dev"));
  auto const judge = app.start("judge");
  app.task("accept_task", on(1), agent(judge));
  app.finish(judge);
  CHECK(app.get(1).stage == Stage::done);
  CHECK(app.snapshot().tasks.size() == 3);
  app.finish(app.start("dev"));
  CHECK(app.get(2).stage == Stage::done);
  CHECK(app.get(4).title == "QA Review for #2");
}

TEST_CASE("Review.NobodyReviewsItsOwnWork") {
  TestApp app("queue");
  app.answer("edit_board", R"({"board":"queue","chains":[],"review_by":"role:coder"})");
  app.add_worker("dev", R"("takes_unassigned":true,"role":"coder")");
  app.create("Cart", R"("status":"ready")");
  auto const run = app.start("dev");
  CHECK(app.refusal("accept_task", on(1), agent(run)) == "FORBIDDEN");
  CHECK(app.refusal("reject_task", on(1, R"("reason":"x")"), agent(run)) == "FORBIDDEN");
  app.finish(run);
  CHECK(app.refusal("dispatch_next", R"({"worker":"dev"})") == "NOTHING_TO_PICK");
  app.add_worker("dev2", R"("role":"coder")");
  CHECK(app.start("dev2").task == 2);
}

TEST_CASE("Review.ARunMayNotLoosenTheRulesOfItsOwnTask") {
  Shop shop("checks", R"("checks":["unit"])");
  for (auto const& [members, field] : {std::pair{R"("review":"none")", "review"},
                                       {R"("checks":[])", "checks"},
                                       {R"("role":"qa")", "role"},
                                       {R"("max_attempts":99)", "max_attempts"}}) {
    auto const error = shop.error("update_task", on(1, members), agent(shop.run));
    CHECK(error.code == core::Code::kForbidden);
    CHECK(error.field == field);
  }
  CHECK(shop.task("update_task", on(1, R"("review":"required")"), agent(shop.run)).review ==
        core::ReviewRule::required);
}

TEST_CASE("Autocomplete.AParentIsDoneWithItsLastSubTaskWhenItAskedForThat") {
  TestApp app;
  auto const parent =
      app.create("Parent", R"("status":"todo","autocomplete":true,"next_tasks":[{"title":"After"}])");
  auto const plain = app.create("Plain");
  auto const waits = app.create("Waits", "\"depends_on\":[" + std::to_string(parent.id) + "]");
  std::vector<core::TaskId> children;
  for (auto const of : {parent.id, parent.id, plain.id})
    children.push_back(app.create("Child", "\"parent\":" + std::to_string(of)).id);
  app.move(children[0], "done");
  CHECK(app.get(parent.id).stage == Stage::ready);
  CHECK(app.get(parent.id).children->done == 1);
  app.task("delete_task", on(children[1]));
  CHECK(app.get(parent.id).stage == Stage::done);
  CHECK(app.stored(waits.id).state.open_deps == 0);
  app.move(children[2], "done");
  CHECK(app.get(plain.id).stage == Stage::backlog);
  CHECK(app.task("update_task", on(plain.id, R"("autocomplete":true)")).stage == Stage::done);
}

TEST_CASE("Dependencies.DeletesAndReopeningsAreCountedAnew") {
  TestApp app;
  auto const first = app.create("First", R"("status":"todo")"),
             second = app.create("Second", R"("status":"todo")");
  auto const waits = app.create("Waits", R"("status":"todo","depends_on":[1,2])");
  auto const open = [&] { return app.stored(waits.id).state.open_deps; };
  CHECK(open() == 2);
  app.move(first.id, "done");
  CHECK(open() == 1);
  app.move(first.id, "todo");
  CHECK(open() == 2);
  app.task("delete_task", on(first.id));
  app.task("archive_task", on(second.id));
  CHECK(open() == 0);
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == waits.id);
}

TEST_CASE("CrashLoop.AWorkerThatFailsAtOnceAgainAndAgainIsPaused") {
  TestApp app;
  app.add_worker("dev", R"("takes_unassigned":true)");
  for (int i = 0; i < 5; ++i) app.create("Task", R"("status":"todo")");
  for (int i = 1; i <= 3; ++i) {
    CHECK_FALSE(reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"dev"})"))->paused);
    app.finish(app.start("dev"), "\"exit\":{\"code\":" + std::to_string(i) + "}");
  }
  auto const worker = *reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"dev"})"));
  CHECK(worker.paused);
  CHECK(worker.paused_because.find("exit code 3") != std::string::npos);
  CHECK(app.refusal("dispatch_next", R"({"worker":"dev"})") == "NOTHING_TO_PICK");
  app.clock.advance(1s);
  app.answer("resume_worker", R"({"name":"dev"})");
  app.finish(app.start("dev"), R"("exit":{"code":4})");
  CHECK_FALSE(reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"dev"})"))->paused);
}

TEST_CASE("CrashLoop.AWorkerIsPausedWhateverItsProgramSaid") {
  TestApp app;
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Task", R"("status":"todo")");
  app.finish(app.start("dev"), R"("stopped_because":"unfit","result":"no program \u001b[31mdev")");
  auto const worker = *reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"dev"})"));
  CHECK(worker.paused);
  CHECK(worker.paused_because.starts_with("no program"));
}

TEST_CASE("CrashLoop.SlowFailuresAndTheAgentsOwnWordAreNone") {
  for (bool const slow : {true, false}) {
    TestApp app;
    app.add_worker("dev", R"("takes_unassigned":true)");
    for (int i = 0; i < 3; ++i) app.create("Task", R"("status":"todo")");
    for (int i = 0; i < 3; ++i) {
      auto const run = app.start("dev");
      if (slow) app.clock.advance(61s);
      if (!slow) app.task("fail_task", on(run.task, R"("reason":"no compiler")"), agent(run));
      app.finish(run, R"("exit":{"code":1})");
    }
    CHECK_FALSE(reflect::read_json<core::Worker>(app.answer("get_worker", R"({"name":"dev"})"))->paused);
  }
}
