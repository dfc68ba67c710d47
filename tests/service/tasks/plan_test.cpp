#include "service/tasks/plan.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/tasks/plan_rule.hpp"
#include "service/boards/boards.hpp"
#include "service/event_log.hpp"
#include "service/insight/attention.hpp"
#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_brief.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using core::Outcome;
using core::PlanRule;
using core::PlanState;
using core::Stage;
using test::agent;
using test::TestApp;

namespace {

/// A board with a worker and a ready task that needs a plan.
struct Planned : TestApp {
  explicit Planned(std::string_view board_template = "queue") : TestApp(board_template) {
    add_worker("dev", {.takes_unassigned = true});
    service::CreateTaskRequest task;
    task.plan = PlanRule::required;
    task.status = board_template == "queue" ? "ready" : "todo";
    create("Task", task);
  }
  core::Run propose(std::string text = "1. look\n2. do\n") {
    auto const run = start("dev");
    call<&service::write_plan>({.id = {"1"}, .text = std::move(text)}, agent(run));
    call<&service::complete_task>({.id = {"1"}, .result = "planned"}, agent(run));
    return finish(run, {.exit = {.code = 0}});
  }
  core::Plan plan() { return call<&service::get_plan>({{"1"}}); }
  service::RunBrief brief() {
    service::RunBrief out;
    executor.read([&](service::OperationContext& u) {
      out = service::prompt_of(u, {{"1"}, "dev"}).value();
      return true;
    });
    return out;
  }
  bool has_review() {
    bool out = false;
    executor.read([&](service::OperationContext& u) {
      out = u.tx.open_review_of(core::TaskId{1}).has_value();
      return true;
    });
    return out;
  }
  core::Task accept() { return call<&service::accept_task>({.id = {"1"}}); }
};

}  // namespace

TEST_CASE("Plan.IsWrittenByTheFirstRunAndWaitsInReview") {
  Planned app;
  auto const run = app.propose();
  CHECK(run.plans);
  CHECK(run.outcome == Outcome::succeeded);
  auto const task = app.stored(1);
  CHECK(task.stage == Stage::review);
  CHECK(task.plan_state == PlanState::proposed);
  CHECK(task.flag == "plan");
  CHECK(task.attempt == 0);
  CHECK(task.claimed_by.empty());
  CHECK(app.plan().text == "1. look\n2. do\n");
  CHECK(app.plan().sha256.size() == 64);
  CHECK(app.plan().by == "worker:dev");
}

TEST_CASE("Plan.OfAnAgentThatWroteNoneIsItsLastMessage") {
  Planned app;
  app.finish(app.start("dev"), {.result = "First look, then do.", .exit = {.code = 0}});
  CHECK(app.stored(1).plan_state == PlanState::proposed);
  CHECK(app.plan().text == "First look, then do.");
}

TEST_CASE("Plan.ThatIsMissingFailsTheAttempt") {
  Planned app;
  auto const run = app.finish(app.start("dev"), {.exit = {.code = 0}, .commits = {"abc"}});
  CHECK(run.outcome == Outcome::failed);
  CHECK(run.reason == "no plan: it ended without writing one");
  CHECK(app.stored(1).stage == Stage::ready);
  CHECK(app.stored(1).plan_state == PlanState::none);
}

TEST_CASE("Plan.AcceptanceMakesTheTaskReadyForItsWork") {
  Planned app;
  app.propose();
  auto const since = app.last_seq();
  auto const task = app.accept();
  CHECK(task.stage == Stage::ready);
  CHECK(task.plan_state == PlanState::accepted);
  CHECK(task.flag.empty());
  CHECK(task.approved);
  auto const events = app.events(since);
  REQUIRE(!events.empty());
  CHECK(events.front().kind == core::EventKind::task_accepted);
  CHECK(service::fact_of(events.front(), "plan") == app.plan().sha256);
  CHECK(app.plan().state == PlanState::accepted);
  auto const run = app.start("dev");
  CHECK_FALSE(run.plans);
  CHECK(run.attempt == 1);
  auto const brief = app.brief();
  REQUIRE(brief.plan);
  CHECK(brief.plan->state == PlanState::accepted);
  CHECK_FALSE(brief.run.plans);
  app.finish(run);
  CHECK(app.stored(1).stage == Stage::review);
  CHECK(app.accept().stage == Stage::done);
}

TEST_CASE("Plan.ThatIsSentBackIsWrittenAgainWithTheComment") {
  Planned app;
  app.propose();
  auto const task = app.call<&service::reject_task>({.id = {"1"}, .reason = "too large"});
  CHECK(task.stage == Stage::ready);
  CHECK(task.plan_state == PlanState::returned);
  CHECK(app.plan().comment == "too large");
  auto const brief = app.brief();
  CHECK(brief.run.plans);
  CHECK(brief.plan.value_or(core::Plan{}).comment == "too large");
  auto const again = app.propose("smaller");
  CHECK(again.plans);
  CHECK(app.plan().text == "smaller");
  CHECK(app.plan().comment.empty());
  CHECK(app.accept().plan_state == PlanState::accepted);
}

TEST_CASE("Plan.IsAskedForByTheWorkerAsWell") {
  TestApp app("queue");
  app.add_worker("dev", {.takes_unassigned = true, .plan = PlanRule::required});
  service::CreateTaskRequest task;
  task.status = "ready";
  task.plan = PlanRule::none;
  app.create("Task", task);
  CHECK(app.start("dev").plans);
  CHECK(app.call<&service::get_worker>({"dev"}).plan == PlanRule::required);
}

/// A server may end between the two, and a person may ask for a plan in that time.
TEST_CASE("Plan.IsWrittenByARunThatWasOpenedBeforeSomebodyAskedForIt") {
  TestApp app("queue");
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "ready"});
  app.executor.write([](service::OperationContext& u) { return service::set_runner(u, true), true; });
  auto const opened = app.call<&service::dispatch_next>({.worker = "dev"});
  CHECK_FALSE(opened.plans);
  app.call<&service::edit_worker>({.name = "dev", .plan = PlanRule::required});
  auto const brief = app.call<&service::begin_run>({.id = opened.id, .token_hash = std::string(64, 'b')});
  CHECK(brief.run.plans);
}

TEST_CASE("Plan.IsJudgedByPeopleAlone") {
  Planned app;
  auto const run = app.start("dev");
  app.call<&service::write_plan>({.id = {"1"}, .text = "a plan"}, agent(run));
  CHECK(app.refusal<&service::accept_task>({.id = {"1"}}, agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::accept_task>({.id = {"1"}}) == "ILLEGAL_TRANSITION");
  app.finish(run, {.exit = {.code = 0}});
  auto worker = test::ann();
  worker.actor = {core::ActorKind::worker, "dev"};
  CHECK(app.refusal<&service::accept_task>({.id = {"1"}}, worker) == "APPROVAL_REQUIRED");
  CHECK(app.refusal<&service::reject_task>({.id = {"1"}, .reason = "no"}, worker) == "APPROVAL_REQUIRED");
}

TEST_CASE("Plan.IsAskedForByPeopleAlone") {
  Planned app;
  auto const run = app.start("dev");
  service::CreateTaskRequest other;
  other.title = "Other";
  other.plan = PlanRule::none;
  CHECK(app.error<&service::create_task>(other, agent(run)).field == "plan");
  service::EditTaskRequest edit;
  edit.id = {"1"};
  edit.plan = PlanRule::none;
  CHECK(app.refusal<&service::edit_task>(edit, agent(run)) == "FORBIDDEN");
}

TEST_CASE("Plan.IsWrittenByNoRunThatWorksByIt") {
  Planned app;
  app.propose();
  app.accept();
  auto const run = app.start("dev");
  CHECK(app.refusal<&service::write_plan>({.id = {"1"}, .text = "another"}, agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::write_plan>({.id = {"1"}, .text = "another"}) == "STATUS_CONFLICT");
  app.finish(run);
  CHECK(app.refusal<&service::write_plan>({.id = {"1"}, .text = "another"}) == "STATUS_CONFLICT");
}

TEST_CASE("Plan.OfAPersonLeavesTheTaskWhereItIs") {
  Planned app;
  CHECK(app.call<&service::write_plan>({.id = {"1"}, .text = "mine"}).state == PlanState::proposed);
  CHECK(app.stored(1).stage == Stage::ready);
  CHECK(app.accept().stage == Stage::ready);
  CHECK_FALSE(app.start("dev").plans);
}

TEST_CASE("Plan.ThatChangedIsNotAcceptedByItsOldHash") {
  Planned app;
  app.propose();
  auto const read = app.plan().sha256;
  app.call<&service::write_plan>({.id = {"1"}, .text = "edited"});
  CHECK(app.stored(1).stage == Stage::review);
  CHECK(app.refusal<&service::accept_task>({.id = {"1"}, .plan_hash = read}) == "CONFLICT");
  app.call<&service::accept_task>({.id = {"1"}, .plan_hash = app.plan().sha256});
  CHECK(app.refusal<&service::accept_task>({.id = {"1"}, .plan_hash = read}) == "CONFLICT");
}

TEST_CASE("Plan.BlocksItsTaskOnABoardWithoutReview") {
  Planned app("classic");
  app.propose();
  auto const task = app.stored(1);
  CHECK(task.blocked);
  CHECK(task.block_reason == core::kPlanWaits);
  auto const list = app.call<&service::list_attention>({});
  REQUIRE(list.items.size() == 1);
  CHECK(list.items.front().kind == core::AttentionKind::review);
  CHECK(list.items.front().text == "a plan waits for your verdict");
  CHECK(app.accept().stage == Stage::ready);
  CHECK_FALSE(app.stored(1).blocked);
  CHECK_FALSE(app.start("dev").plans);
}

TEST_CASE("Plan.IsNotSkippedByUnblocking") {
  Planned app("classic");
  app.propose();
  app.call<&service::unblock_task>({{"1"}});
  CHECK(app.stored(1).plan_state == PlanState::proposed);
  CHECK(app.start("dev").plans);
}

TEST_CASE("Plan.IsNotAcceptedByChecks") {
  Planned app;
  app.call<&service::edit_board>({{.review_by = core::parse_review_by("checks")}, "queue"});
  app.finish(app.start("dev"),
             {.result = "a plan", .exit = {.code = 0}, .checks = {{.name = "unit", .passed = true}}});
  CHECK(app.stored(1).stage == Stage::review);
}

TEST_CASE("Plan.IsReviewedByNoRole") {
  Planned app;
  app.call<&service::edit_board>({{.review_by = core::parse_review_by("role:qa")}, "queue"});
  app.propose();
  CHECK(app.stored(1).stage == Stage::review);
  CHECK_FALSE(app.has_review());
  app.accept();
  app.finish(app.start("dev"));
  CHECK(app.has_review());
}

TEST_CASE("Plan.IsNoLongerNeededWhenNobodyAsksForIt") {
  Planned app;
  app.call<&service::write_plan>({.id = {"1"}, .text = "mine"});
  service::EditTaskRequest edit;
  edit.id = {"1"};
  edit.plan = PlanRule::none;
  app.call<&service::edit_task>(edit);
  CHECK(app.stored(1).plan_state == PlanState::none);
  CHECK_FALSE(app.start("dev").plans);
}

TEST_CASE("Plan.IsReadAgainWhenTheTextOfItsTaskChanges") {
  Planned app;
  app.propose();
  app.accept();
  service::EditTaskRequest edit;
  edit.id = {"1"};
  edit.body = "Something else";
  auto const task = app.call<&service::edit_task>(edit);
  CHECK(task.plan_state == PlanState::accepted);
  CHECK(task.warnings.size() == 1);
}

TEST_CASE("Plan.TellsWhyNobodyWorks") {
  Planned app;
  app.propose();
  auto const why = app.call<&service::why_not_running>({{"1"}});
  REQUIRE(!why.hindrances.empty());
  CHECK(why.hindrances.front().code == "plan");
  app.tells_verbs = true;
  CHECK(std::ranges::count(app.get(1).can, "accept") == 1);
}
