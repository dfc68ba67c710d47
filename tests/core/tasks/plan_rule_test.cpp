#include "core/tasks/plan_rule.hpp"

#include <doctest/doctest.h>

#include "core/boards/templates.hpp"
#include "core/runs/outcome.hpp"
#include "core/tasks/apply.hpp"
#include "support/builders.hpp"

using namespace andon;
using core::PlanRule;
using core::PlanState;
using core::Stage;
using core::Verb;

namespace {

core::Task planned(Stage stage, PlanState state, PlanRule rule = PlanRule::required) {
  core::Task task;
  task.stage = stage;
  task.plan = rule;
  task.plan_state = state;
  return task;
}

}  // namespace

TEST_CASE("PlanRule.TheTaskOrTheWorkerAsks") {
  core::Worker worker;
  CHECK_FALSE(core::needs_plan(planned(Stage::ready, PlanState::none, PlanRule::none), worker));
  CHECK(core::needs_plan(planned(Stage::ready, PlanState::none), worker));
  CHECK(core::needs_plan(planned(Stage::ready, PlanState::returned), worker));
  CHECK_FALSE(core::needs_plan(planned(Stage::ready, PlanState::accepted), worker));
  worker.plan = PlanRule::required;
  CHECK(core::needs_plan(planned(Stage::ready, PlanState::none, PlanRule::none), worker));
}

TEST_CASE("PlanRule.APlanThatNobodyAskedForIsJudgedBeforeTheWork") {
  CHECK(core::needs_plan(planned(Stage::ready, PlanState::proposed, PlanRule::none), {}));
}

TEST_CASE("PlanRule.AReviewNeedsNoPlan") {
  auto review = planned(Stage::ready, PlanState::none);
  review.state.reviews = core::TaskId{7};
  CHECK_FALSE(core::needs_plan(review, {}));
}

TEST_CASE("PlanRule.AVerdictIsAboutThePlanWhileItWaits") {
  CHECK(core::meant_by(Verb::accept, planned(Stage::review, PlanState::proposed)) == Verb::accept_plan);
  CHECK(core::meant_by(Verb::reject, planned(Stage::review, PlanState::proposed)) == Verb::return_plan);
  CHECK(core::meant_by(Verb::accept, planned(Stage::review, PlanState::accepted)) == Verb::accept);
  CHECK(core::meant_by(Verb::accept, planned(Stage::active, PlanState::proposed)) == Verb::accept);
  CHECK(core::meant_by(Verb::complete, planned(Stage::review, PlanState::proposed)) == Verb::complete);
}

TEST_CASE("PlanRule.AnAgentJudgesNoPlan") {
  auto const board = *core::board_from_template("queue");
  core::Change const change{planned(Stage::review, PlanState::proposed), board};
  core::Situation situation;
  situation.is_agent = true;
  CHECK(core::check_guards(Verb::accept_plan, change, situation, {}).error().code ==
        core::Code::kApprovalRequired);
  situation.is_agent = false;
  CHECK(core::check_guards(Verb::accept_plan, change, situation, {}));
  situation.has_live_run = true;
  CHECK(core::check_guards(Verb::return_plan, change, situation, {}).error().code ==
        core::Code::kStatusConflict);
}

TEST_CASE("PlanRule.AnAcceptedPlanLeavesAForeignBlockAlone") {
  auto const board = *core::board_from_template("classic");
  for (bool const is_of_plan : {true, false}) {
    auto task = planned(Stage::active, PlanState::proposed);
    task.status = "in-progress";
    task.blocked = true;
    task.block_reason = is_of_plan ? std::string{core::kPlanWaits} : "which colour?";
    core::Change change{task, board};
    core::apply(Verb::accept_plan, change, {}, {}, core::Entry::queued);
    CHECK(change.after.plan_state == PlanState::accepted);
    CHECK(change.after.blocked != is_of_plan);
    CHECK((change.after.stage == Stage::ready) == is_of_plan);
  }
}

TEST_CASE("PlanRule.ARunWithoutItsPlanHasFailed") {
  core::Ending ending;
  ending.exit = {.code = 0};
  ending.has_evidence = true;
  ending.owes_plan = true;
  auto const judgement = core::judge(ending);
  CHECK(judgement.outcome == core::Outcome::failed);
  CHECK(judgement.reason == "no plan: it ended without writing one");
}
