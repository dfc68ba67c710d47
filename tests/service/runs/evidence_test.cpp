#include <array>
#include <string_view>

#include <doctest/doctest.h>

#include "service/insight/metrics.hpp"
#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/work.hpp"
#include "service/runs/yard.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

using namespace andon;
using core::LandingState;
using core::Outcome;
using core::Stage;
using test::agent;
using test::kWork;
using test::TestApp;
using test::work_with;
using test::Yard;

TEST_CASE("Evidence.AFailedCheckSendsReportedWorkBackOnEveryBoard") {
  for (auto const* template_ : {"classic", "flow", "queue"}) {
    Yard yard(template_, {.review_by = core::ReviewBy{core::Reviewer::person},
                          .checks = std::map<std::string, std::vector<std::string>>{{"unit", {"true"}}}});
    yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
    auto const ended = yard.finish(yard.run, work_with({{.name = "unit", .output = "2 of 9 failed"}}));
    INFO(template_);
    CHECK(ended.outcome == Outcome::failed);
    auto const back = yard.stored(1);
    CHECK(back.stage == Stage::ready);
    CHECK(back.state.last_failure == "check \"unit\" failed:\n2 of 9 failed");
    CHECK(yard.queue().empty());
  }
}

TEST_CASE("Evidence.WordsAndPassedChecksOverAnUntouchedTreeAreNone") {
  using Ending = service::FinishRunRequest;
  for (auto const& ending :
       {Ending{.exit = {.code = 0}}, Ending{.result = "added x.txt", .exit = {.code = 0}},
        Ending{.exit = {.code = 0}, .checks = {{.name = "unit", .passed = true}}}})
    for (bool const says_done : {true, false}) {
      CAPTURE(reflect::to_json(ending));
      CAPTURE(says_done);
      Yard judged("queue", {.review_by = core::ReviewBy{core::Reviewer::checks}});
      if (says_done)
        judged.call<&service::complete_task>({.id = 1, .result = "added x.txt"}, agent(judged.run));
      CHECK(judged.finish(judged.run, ending).outcome == Outcome::incomplete);
      CHECK(judged.get(1).stage == Stage::review);
      CHECK(judged.get(1).flag == "no evidence");

      Yard plain;
      if (says_done)
        plain.call<&service::complete_task>({.id = 1, .result = "added x.txt"}, agent(plain.run));
      plain.finish(plain.run, ending);
      CHECK(plain.get(1).stage == Stage::blocked);
      CHECK(plain.get(1).flag == "no evidence");

      Yard lax("classic", {.require_evidence = false});
      if (says_done) lax.call<&service::complete_task>({.id = 1, .result = "added x.txt"}, agent(lax.run));
      lax.finish(lax.run, ending);
      CHECK(lax.get(1).stage == Stage::done);
      CHECK(lax.get(1).flag == "no evidence");
    }
}

TEST_CASE("Evidence.WordsCountForWhatIsDoneInWords") {
  struct Row {
    service::CreateTaskRequest task;
    bool counts;
  };
  for (auto const* name : {"classic", "queue", "flow"})
    for (auto const& [task, counts] :
         {Row{{.role = "qa"}, true}, Row{{.role = "planner"}, true}, Row{{.role = "judge"}, true},
          Row{{.role = "coder", .review = core::ReviewRule::none}, true}, Row{{.role = "coder"}, false},
          Row{{.role = "qa", .review = core::ReviewRule::required}, false}}) {
      CAPTURE(name);
      CAPTURE(task.role);
      Yard yard(name,
                {.review_by = core::parse_review_by("role:judge"), .land = core::LandingPolicy::automatic});
      auto request = task;
      request.status = yard.ready;
      auto const id = yard.create("Look at it", request).id;
      yard.add_worker("other", {.role = task.role});
      auto const run = yard.start("other");
      REQUIRE(run.task == id);
      yard.call<&service::complete_task>({.id = id, .result = "it is good"}, agent(run));
      CHECK((yard.finish(run, {.exit = {.code = 0}}).outcome == Outcome::succeeded) == counts);
      if (counts) CHECK(yard.get(id).stage == Stage::done);
    }
}

TEST_CASE("Evidence.AChangedFileACommitOrACreatedTaskIsSome") {
  using Ending = service::FinishRunRequest;
  for (auto const& ending :
       {Ending{.exit = {.code = 0}, .files_changed = 1}, Ending{.exit = {.code = 0}, .commits = {"c1"}}}) {
    Yard yard("queue", {.review_by = core::ReviewBy{core::Reviewer::person}});
    CHECK(yard.finish(yard.run, ending).outcome == Outcome::succeeded);
  }
  Yard planner;
  planner.create("Found on the way", {}, agent(planner.run));
  CHECK(planner.finish(planner.run, {.exit = {.code = 0}}).outcome == Outcome::succeeded);
  CHECK(planner.get(1).stage == Stage::done);
}

TEST_CASE("Evidence.FromASharedDirectoryIsFlagged") {
  for (bool const has_tree : {true, false}) {
    Yard yard("queue", {.review_by = core::ReviewBy{core::Reviewer::person}});
    yard.call<&service::edit_board>({{.worktree = has_tree}, "queue"});
    yard.finish(yard.run, {.exit = {.code = 0}, .files_changed = 1});
    CHECK(yard.get(1).flag == (has_tree ? "" : "shared directory"));
  }
}

TEST_CASE("Evidence.ThatNothingHadToBeChangedIsForAPersonWhereOneJudges") {
  service::CompleteRequest const nothing{.id = 1, .result = "it works", .no_change = "it was fixed before"};
  Yard judged("queue", {.review_by = core::ReviewBy{core::Reviewer::checks}});
  judged.call<&service::complete_task>(nothing, agent(judged.run));
  auto const run =
      judged.finish(judged.run, {.exit = {.code = 0}, .checks = {{.name = "unit", .passed = true}}});
  CHECK(run.outcome == Outcome::succeeded);
  CHECK(run.no_change == "it was fixed before");
  CHECK(judged.get(1).stage == Stage::review);
  CHECK(judged.get(1).flag == "no change");

  for (auto const* template_ : {"classic", "queue"}) {
    Yard lax(template_, {.review_by = core::ReviewBy{core::Reviewer::checks}, .require_evidence = false});
    lax.call<&service::complete_task>(nothing, agent(lax.run));
    lax.finish(lax.run, {.exit = {.code = 0}, .checks = {{.name = "unit", .passed = true}}});
    CHECK(lax.get(1).flag == "no change");
    CHECK(lax.get(1).stage == (std::string_view{template_} == "queue" ? Stage::review : Stage::done));
  }
}

TEST_CASE("Evidence.ARunWithoutAPlaceToWorkIsBlockedAndCostsNoAttempt") {
  Yard yard;
  auto const ended = yard.finish(
      yard.run, {.stopped_because = core::StopReason::workspace, .result = "the repository is not there"});
  CHECK(ended.outcome == Outcome::blocked);
  auto const blocked = yard.get(1);
  CHECK(blocked.blocked);
  CHECK(blocked.block_reason == "the repository is not there");
  CHECK(blocked.attempt == 0);
}
