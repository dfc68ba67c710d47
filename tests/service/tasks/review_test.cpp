#include <doctest/doctest.h>

#include "core/tasks/work_state.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/attention.hpp"
#include "service/runs/dispatch.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::AnyCall;
using test::call_of;
using test::TestApp;

namespace {

/// A strict board with a coder at work on task 1, and a verdict by whom the test says.
struct Shop : TestApp {
  explicit Shop(std::string_view review_by, service::CreateTaskRequest task = {}) : TestApp("queue") {
    call<&service::edit_board>(
        {{.review_by = core::parse_review_by(review_by),
          .checks = std::map<std::string, std::vector<std::string>>{{"unit", {"true"}}, {"lint", {"true"}}},
          .chains = std::vector<core::ChainRule>{}},
         "queue"});
    add_worker("dev", {.role = "coder"});
    add_worker("judge", {.role = "reviewer"});
    task.status = "ready";
    task.role = "coder";
    create("Cart", task);
    run = start("dev");
  }
  /// The open review task of task 1, or nothing.
  std::optional<core::Task> review() {
    std::optional<core::Task> out;
    executor.read([&](service::OperationContext& u) {
      for (auto const id : u.tx.children(1))
        if (auto task = u.tx.task(id);
            task && task->state.reviews == 1 && !core::is_finished(task->stage) && !core::is_reported(*task))
          out = *task;
    });
    return out;
  }
  core::Run run;
};

}  // namespace

TEST_CASE("Review.GreenChecksAndEvidenceAreAcceptedBySystem") {
  Shop shop("checks", {.checks = {"unit"}});
  auto const seq = shop.last_seq();
  shop.finish(shop.run,
              {.exit = {.code = 0}, .commits = {"abc"}, .checks = {{.name = "unit", .passed = true}}});
  CHECK(shop.get(1).stage == Stage::done);
  bool accepted = false;
  for (auto const& event : shop.events(seq))
    if (event.kind == core::EventKind::task_accepted) accepted = event.actor.kind == core::ActorKind::system;
  CHECK(accepted);
}

TEST_CASE("Review.WithoutResultsOrWithoutAWantedOneAPersonIsAsked") {
  using Results = std::vector<core::CheckResult>;
  for (auto const& checks : {Results{}, Results{{.name = "lint", .passed = true}}}) {
    Shop shop("checks", {.checks = {"unit"}});
    shop.finish(shop.run, {.exit = {.code = 0}, .commits = {"abc"}, .checks = checks});
    CHECK(shop.get(1).stage == Stage::review);
  }
  Shop by_person("person");
  by_person.finish(by_person.run,
                   {.exit = {.code = 0}, .commits = {"abc"}, .checks = {{.name = "unit", .passed = true}}});
  CHECK(by_person.get(1).stage == Stage::review);
}

TEST_CASE("Review.AFailedCheckIsAFailedAttemptThatTheNextOneHearsOf") {
  Shop shop("checks");
  auto const run =
      shop.finish(shop.run, {.result = "done",
                             .exit = {.code = 0},
                             .commits = {"abc"},
                             .checks = {{.name = "unit", .passed = false, .output = "2 of 9 failed"}}});
  CHECK(run.outcome == core::Outcome::failed);
  auto const task = shop.stored(1);
  CHECK(task.stage == Stage::ready);
  CHECK(task.not_before);
  CHECK(task.state.last_failure == "check \"unit\" failed:\n2 of 9 failed");
}

TEST_CASE("Review.ChecksDecideOnWhatTheAgentCalledDone") {
  Shop green("checks");
  green.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(green.run));
  CHECK(green.get(1).stage == Stage::active);
  CHECK(green.get(1).flag == "reported");
  green.finish(green.run, {.result = "made it", .checks = {{.name = "unit", .passed = true}}});
  CHECK(green.get(1).stage == Stage::done);
  Shop red("checks");
  red.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(red.run));
  red.finish(red.run, {.result = "made it", .checks = {{.name = "unit", .passed = false}}});
  CHECK(red.get(1).stage == Stage::ready);
  CHECK(red.stored(1).state.last_failure == "check \"unit\" failed");
}

TEST_CASE("Review.WorkThatComesBackBeforeItsFirstReviewerHasEndedIsReviewedAnew") {
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  auto const first = shop.review();
  REQUIRE(first);
  auto const judge = shop.start("judge");
  shop.call<&service::reject_task>({.id = judge.task, .reason = "no tests"}, agent(judge));
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
  Shop shop("checks", {.max_attempts = 1});
  shop.call<&service::complete_task>({.id = 1}, agent(shop.run));
  shop.finish(shop.run, {.checks = {{.name = "unit", .passed = false}}});
  CHECK(shop.get(1).stage == Stage::failed);
  CHECK(shop.get(1).flag.empty());
}

TEST_CASE("Review.APersonIsAskedOnlyWhereNoWorkerIsToJudge") {
  auto const kinds = [](Shop& shop) {
    std::string out;
    for (auto const& entry : shop.call<&service::list_attention>({}).items)
      out += std::string{core::to_text(entry.kind)} + " ";
    return out;
  };
  auto const is_said = [](Shop& shop) {
    return shop.answer<&service::list_cards>({.board = shop.board}).contains(R"("has_reviewer":true)");
  };
  Shop shop("role:reviewer");
  shop.finish(shop.run);
  REQUIRE(shop.get(1).stage == Stage::review);
  CHECK(kinds(shop).empty());
  CHECK(is_said(shop));
  auto const judge = shop.start("judge");
  CHECK(kinds(shop).empty());
  CHECK(shop.finish(judge).outcome == core::Outcome::failed);
  CHECK(kinds(shop).empty());
  shop.call<&service::remove_worker>({.name = "judge"});
  CHECK(kinds(shop) == "review ");
  CHECK(!is_said(shop));

  Shop person("person");
  person.finish(person.run);
  CHECK(kinds(person) == "review ");
}

TEST_CASE("Review.ARoleReviewsWithATaskOfItsOwn") {
  Shop shop("role:reviewer");
  shop.call<&service::complete_task>({.id = 1, .result = "see branch cart"}, agent(shop.run));
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
  CHECK(shop.refusal<&service::accept_task>({.id = 99}, agent(judge)) == "TASK_NOT_FOUND");
  CHECK(shop.call<&service::accept_task>({.id = 1}, agent(judge)).stage == Stage::done);
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
  CHECK(shop.call<&service::reject_task>({.id = judge.task, .reason = "no tests"}, agent(judge)).id == 1);
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
  CHECK(shop.call<&service::accept_task>({.id = 1}).stage == Stage::done);
  CHECK(shop.get(review->id).stage == Stage::archived);
}

TEST_CASE("Review.AReviewThatEndsWithoutAVerdictIsTriedAgain") {
  struct Ending {
    std::optional<AnyCall> report;  ///< the agent's, by a command
    std::string result;             ///< its last words
  };
  for (auto const& [report, result] :
       {Ending{}, Ending{{}, "looked at it"},
        Ending{call_of<&service::complete_task>({.id = 2, .result = "all is well"})},
        Ending{call_of<&service::complete_task>({.id = 2, .no_change = "nothing to judge"})},
        Ending{call_of<&service::handoff_task>({.id = 2, .note = "somebody else should"})}}) {
    CAPTURE((report ? report->operation : ""));
    CAPTURE(result);
    Shop shop("role:reviewer");
    shop.finish(shop.run);
    auto const judge = shop.start("judge");
    REQUIRE(judge.task == 2);
    if (report) shop.answer(*report, agent(judge));
    auto const ended = shop.finish(judge, {.result = result, .exit = {.code = 0}});
    CHECK(ended.outcome == core::Outcome::failed);
    CHECK(ended.reason.starts_with("no verdict"));
    CHECK(shop.get(judge.task).stage == Stage::ready);
    CHECK(shop.get(1).stage == Stage::review);
    CHECK(shop.get(1).flag.empty());
    shop.clock.advance(1h);
    auto const again = shop.start("judge");
    CHECK(again.task == judge.task);
    shop.call<&service::accept_task>({.id = 1}, agent(again));
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
  shop.call<&service::accept_task>({.id = 1});
  CHECK(shop.finish(judge).outcome == core::Outcome::succeeded);
}

TEST_CASE("Review.AChainOfTheBoardAsksNoRoleThatHasJudgedTheWork") {
  TestApp app("queue");
  app.call<&service::edit_board>({{.review_by = core::ReviewBy{core::Reviewer::role, "qa"}}, "queue"});
  app.add_worker("dev", {.role = "coder"});
  app.add_worker("judge", {.role = "qa"});
  app.create("Cart", {.status = "ready", .role = "coder"});
  app.create("Note", {.status = "ready", .role = "coder", .review = core::ReviewRule::none});
  app.finish(app.start("dev"));
  auto const judge = app.start("judge");
  app.call<&service::accept_task>({.id = 1}, agent(judge));
  app.finish(judge);
  CHECK(app.get(1).stage == Stage::done);
  CHECK(app.snapshot().tasks.size() == 3);
  app.finish(app.start("dev"));
  CHECK(app.get(2).stage == Stage::done);
  CHECK(app.get(4).title == "QA Review for #2");
}

TEST_CASE("Review.NobodyReviewsItsOwnWork") {
  TestApp app("queue");
  app.call<&service::edit_board>(
      {{.review_by = core::ReviewBy{core::Reviewer::role, "coder"}, .chains = std::vector<core::ChainRule>{}},
       "queue"});
  app.add_worker("dev", {.role = "coder", .takes_unassigned = true});
  app.create("Cart", {.status = "ready"});
  auto const run = app.start("dev");
  CHECK(app.refusal<&service::accept_task>({.id = 1}, agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::reject_task>({.id = 1, .reason = "x"}, agent(run)) == "FORBIDDEN");
  app.finish(run);
  CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  app.add_worker("dev2", {.role = "coder"});
  CHECK(app.start("dev2").task == 2);
}

TEST_CASE("Review.ARunMayNotLoosenTheRulesOfItsOwnTask") {
  Shop shop("checks", {.checks = {"unit"}});
  using Edit = service::EditTaskRequest;
  for (auto const& [edit, field] : {std::pair{Edit{.id = 1, .review = core::ReviewRule::none}, "review"},
                                    {Edit{.id = 1, .checks = std::vector<std::string>{}}, "checks"},
                                    {Edit{.id = 1, .role = "qa"}, "role"},
                                    {Edit{.id = 1, .max_attempts = 99}, "max_attempts"}}) {
    auto const error = shop.error<&service::edit_task>(edit, agent(shop.run));
    CHECK(error.code == core::Code::kForbidden);
    CHECK(error.field == field);
  }
  CHECK(shop.call<&service::edit_task>({.id = 1, .review = core::ReviewRule::required}, agent(shop.run))
            .review == core::ReviewRule::required);
}

TEST_CASE("Autocomplete.AParentIsDoneWithItsLastSubTaskWhenItAskedForThat") {
  TestApp app;
  auto const parent =
      app.create("Parent", {.status = "todo", .next_tasks = {{.title = "After"}}, .autocomplete = true});
  auto const plain = app.create("Plain");
  auto const waits = app.create("Waits", {.depends_on = {parent.id}});
  std::vector<core::TaskId> children;
  for (auto const of : {parent.id, parent.id, plain.id})
    children.push_back(app.create("Child", {.parent = of}).id);
  app.move(children[0], "done");
  CHECK(app.get(parent.id).stage == Stage::ready);
  CHECK(app.get(parent.id).children->done == 1);
  app.call<&service::delete_task>({.id = children[1]});
  CHECK(app.get(parent.id).stage == Stage::done);
  CHECK(app.stored(waits.id).state.open_deps == 0);
  app.move(children[2], "done");
  CHECK(app.get(plain.id).stage == Stage::backlog);
  CHECK(app.call<&service::edit_task>({.id = plain.id, .autocomplete = true}).stage == Stage::done);
}

TEST_CASE("Dependencies.DeletesAndReopeningsAreCountedAnew") {
  TestApp app;
  auto const first = app.create("First", {.status = "todo"}),
             second = app.create("Second", {.status = "todo"});
  auto const waits = app.create("Waits", {.status = "todo", .depends_on = {1, 2}});
  auto const open = [&] { return app.stored(waits.id).state.open_deps; };
  CHECK(open() == 2);
  app.move(first.id, "done");
  CHECK(open() == 1);
  app.move(first.id, "todo");
  CHECK(open() == 2);
  app.call<&service::delete_task>({.id = first.id});
  app.call<&service::archive_task>({.id = second.id});
  CHECK(open() == 0);
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == waits.id);
}

TEST_CASE("CrashLoop.AWorkerThatFailsAtOnceAgainAndAgainIsPaused") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  for (int i = 0; i < 5; ++i) app.create("Task", {.status = "todo"});
  for (int i = 1; i <= 3; ++i) {
    CHECK_FALSE(app.call<&service::get_worker>({.name = "dev"}).paused);
    app.finish(app.start("dev"), {.exit = {.code = i}});
  }
  auto const worker = app.call<&service::get_worker>({.name = "dev"});
  CHECK(worker.paused);
  CHECK(worker.paused_because.find("exit code 3") != std::string::npos);
  CHECK(app.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  app.clock.advance(1s);
  app.call<&service::resume_worker>({.name = "dev"});
  app.finish(app.start("dev"), {.exit = {.code = 4}});
  CHECK_FALSE(app.call<&service::get_worker>({.name = "dev"}).paused);
}

TEST_CASE("CrashLoop.AWorkerIsPausedWhateverItsProgramSaid") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  app.finish(app.start("dev"),
             {.stopped_because = core::StopReason::unfit, .result = "no program \033[31mdev"});
  auto const worker = app.call<&service::get_worker>({.name = "dev"});
  CHECK(worker.paused);
  CHECK(worker.paused_because.starts_with("no program"));
}

TEST_CASE("CrashLoop.SlowFailuresAndTheAgentsOwnWordAreNone") {
  for (bool const slow : {true, false}) {
    TestApp app;
    app.add_worker("dev", {.takes_unassigned = true});
    for (int i = 0; i < 3; ++i) app.create("Task", {.status = "todo"});
    for (int i = 0; i < 3; ++i) {
      auto const run = app.start("dev");
      if (slow) app.clock.advance(61s);
      if (!slow) app.call<&service::fail_task>({.id = run.task, .reason = "no compiler"}, agent(run));
      app.finish(run, {.exit = {.code = 1}});
    }
    CHECK_FALSE(app.call<&service::get_worker>({.name = "dev"}).paused);
  }
}
