#include "service/runs/landing_queue.hpp"

#include <array>
#include <string_view>

#include <doctest/doctest.h>

#include "service/insight/metrics.hpp"
#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/work.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::LandingState;
using core::Outcome;
using core::Stage;
using test::agent;
using test::TestApp;

namespace {

service::FinishRunRequest const kWork{.result = "made it",
                                      .exit = {.code = 0},
                                      .branch = "andon/1-cart",
                                      .commits = {"c1"},
                                      .base = "b0",
                                      .head = "c1"};

service::FinishRunRequest work_with(std::vector<core::CheckResult> checks) {
  auto work = kWork;
  work.checks = std::move(checks);
  return work;
}

/// A board with a repository and work trees, and a worker who does task 1.
struct Yard : TestApp {
  explicit Yard(std::string_view template_ = "classic",
                service::BoardPolicies policies = {.land = core::LandingPolicy::automatic})
      : TestApp(template_) {
    policies.repo = "/srv/shop";
    policies.worktree = true;
    call<&service::edit_board>({policies, board});
    add_worker("dev", {.role = "coder"});
    ready = template_ == "queue" ? "ready" : "todo";
    create("Cart", {.status = ready, .role = "coder"});
    run = start("dev");
  }
  std::optional<core::Landing> landing(core::RunId id = 1) {
    return TestApp::call<&service::get_run>({.id = id}).landing;
  }
  std::vector<core::RunId> queue() {
    std::vector<core::RunId> out;
    executor.read([&](service::OperationContext& u) {
      auto const queue = service::landing_queue(u, {});
      for (auto const& place : queue->items) out.push_back(place.run.id);
    });
    return out;
  }
  core::Run run;
  std::string ready;  ///< the column of tasks that may be picked
};

}  // namespace

TEST_CASE("LandingQueue.DoneWorkWithCommitsWaitsInTheOrderItWasAccepted") {
  Yard yard;
  yard.finish(yard.run, kWork);
  auto const waiting = yard.stored(1);
  CHECK(waiting.stage == Stage::active);
  CHECK(waiting.flag == "reported");
  CHECK(waiting.claimed_by == "system");
  CHECK_FALSE(waiting.claim_expires);
  CHECK(yard.landing()->state == LandingState::waiting);
  yard.create("Basket", {.status = "todo", .role = "coder"});
  yard.finish(yard.start("dev"),
              {.result = "x", .exit = {.code = 0}, .commits = {"c2"}, .base = "b0", .head = "c2"});
  CHECK(yard.queue() == std::vector<core::RunId>{1, 2});
}

TEST_CASE("LandingQueue.WorkInReviewWaitsForItsVerdict") {
  Yard yard("queue", {.review_by = core::ReviewBy{core::Reviewer::person}});
  yard.finish(yard.run, kWork);
  CHECK(yard.get(1).stage == Stage::review);
  CHECK(yard.queue().empty());
  yard.call<&service::accept_task>({.id = 1});
  CHECK(yard.queue() == std::vector<core::RunId>{1});
}

TEST_CASE("LandingQueue.WhatADoneAgentLeavesCountsWhenItsRunHasEnded") {
  Yard yard;
  yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
  CHECK(yard.get(1).stage == Stage::active);
  CHECK(yard.get(1).flag == "reported");
  CHECK(yard.queue().empty());
  yard.finish(yard.run, kWork);
  CHECK(yard.queue() == std::vector<core::RunId>{1});
}

TEST_CASE("LandingQueue.NothingWaitsWithoutCommitsOrWhereNothingIsLanded") {
  Yard same;
  same.finish(same.run, {.result = "looked", .exit = {.code = 0}, .base = "b0", .head = "b0"});
  CHECK(same.queue().empty());
  using Policies = service::BoardPolicies;
  for (auto const& policies :
       {Policies{.land = core::LandingPolicy::off}, Policies{.worktree = false}, Policies{.repo = ""}}) {
    Yard off("classic", {.land = policies.land.value_or(core::LandingPolicy::automatic)});
    if (!policies.land) off.call<&service::edit_board>({policies, "classic"});
    off.finish(off.run, kWork);
    CHECK(off.queue().empty());
  }
}

TEST_CASE("LandingQueue.LandedWorkIsRecordedAndToldOnce") {
  Yard yard;
  yard.finish(yard.run, kWork);
  CHECK(yard.refusal<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"}) == "CONFLICT");
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  auto const seq = yard.last_seq();
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.landing()->state == LandingState::landed);
  CHECK(yard.landing()->commit == "d1");
  CHECK(yard.queue().empty());
  auto const done = yard.events(seq).back();
  CHECK(done.kind == core::EventKind::task_completed);
  CHECK(done.data == R"({"landed":"d1","branch":"main"})");
  CHECK(yard.get(1).stage == Stage::done);
  CHECK(yard.get(1).flag.empty());
  CHECK(yard.get(1).claimed_by.empty());
}

TEST_CASE("LandingQueue.TellsWhereWorkLandedAndWhichFilesWereInConflict") {
  Yard yard;
  yard.finish(yard.run, kWork);
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.landing()->commit == "d1");
  CHECK(yard.landing()->branch == "main");
  CHECK(yard.answer<&service::list_cards>({.board = yard.board}).find("returned") == std::string::npos);

  Yard other;
  other.finish(other.run, kWork);
  other.call<&service::return_landing>({.id = 1, .reason = "conflict", .files = {"a.txt", "b.txt"}});
  CHECK(other.landing()->files == std::vector<std::string>{"a.txt", "b.txt"});
  CHECK(other.answer<&service::list_cards>({.board = other.board}).find(R"("returned":true)") !=
        std::string::npos);
}

TEST_CASE("LandingQueue.TheCardOfWorkInReviewTellsHowMuchThereIsToJudge") {
  Yard yard("queue", {.review_by = core::ReviewBy{core::Reviewer::person}});
  auto work = work_with({{.name = "unit", .passed = true}, {.name = "lint", .passed = true}});
  work.diff_size = core::DiffSize{.files = 4, .added = 96, .removed = 12};
  work.usage = core::Usage{.cost_usd = 1.32};
  yard.finish(yard.run, work);
  auto const cards = [&] { return yard.answer<&service::list_cards>({.board = yard.board}); };
  CHECK(
      cards().find(
          R"("work":{"diff":{"files":4,"added":96,"removed":12},"checks":2,"checks_passed":2,"cost_usd":1.32})") !=
      std::string::npos);
  yard.call<&service::accept_task>({.id = 1});
  CHECK(cards().find(R"("work")") == std::string::npos);
}

TEST_CASE("LandingQueue.WorkThatCannotBeJoinedGoesBackWithTheReasonForTheNextPrompt") {
  Yard yard;
  yard.finish(yard.run, kWork);
  yard.call<&service::return_landing>({.id = 1, .reason = "conflict in a.txt"});
  auto const back = yard.stored(1);
  CHECK(back.stage == Stage::ready);
  CHECK(back.not_before.has_value());
  CHECK(back.flag.empty());
  CHECK(back.claimed_by.empty());
  CHECK(back.state.last_failure == "conflict in a.txt");
  CHECK(yard.landing()->state == LandingState::returned);
  yard.clock.advance(std::chrono::minutes{2});
  yard.call<&service::dispatch_next>({.worker = "dev"});
  auto const brief = yard.answer<&service::begin_run>({.id = 2, .token_hash = std::string(64, 'f')});
  CHECK(brief.find("conflict in a.txt") != std::string::npos);
  CHECK(yard.get(1).attempt == 2);
}

/// Ways to the queue: a board without a review holds reported work, another lands what was accepted.
constexpr std::array<std::string_view, 2> kWaysToTheQueue{"classic", "queue"};

TEST_CASE("LandingQueue.WhatComesBackIsAFailedAttemptHoweverItGotThere") {
  for (auto const template_ : kWaysToTheQueue) {
    CAPTURE(template_);
    Yard yard{template_};
    yard.finish(yard.run, kWork);
    if (yard.get(1).stage == Stage::review) yard.call<&service::accept_task>({.id = 1});
    yard.call<&service::return_landing>({.id = 1, .reason = "unit failed"});
    auto const back = yard.stored(1);
    CHECK(back.stage == Stage::ready);
    CHECK(back.attempt == 1);
    REQUIRE(back.not_before);
    CHECK(back.state.retry_at == back.not_before);
    CHECK(*back.not_before > yard.clock.now());
    CHECK(back.state.last_failure == "unit failed");
    CHECK(yard.answer<&service::why_not_running>({.id = 1}).find("failed attempt") != std::string::npos);
    CHECK(yard.answer<&service::flow_metrics>({.board = yard.board}).find(R"("retries":1)") !=
          std::string::npos);
  }
}

TEST_CASE("LandingQueue.WithItsAttemptsUsedUpItWaitsForAPersonWhoCanRetryIt") {
  for (auto const template_ : kWaysToTheQueue) {
    CAPTURE(template_);
    Yard yard{template_};
    yard.call<&service::edit_task>({.id = 1, .max_attempts = 1, .force = true});
    yard.finish(yard.run, kWork);
    if (yard.get(1).stage == Stage::review) yard.call<&service::accept_task>({.id = 1});
    yard.call<&service::return_landing>({.id = 1, .reason = "conflict in a.txt"});
    auto const parked = yard.get(1);
    bool const has_failed_column = template_ == "queue";
    CHECK(parked.stage == (has_failed_column ? Stage::failed : Stage::blocked));
    CHECK(parked.blocked != has_failed_column);
    CHECK(yard.answer<&service::flow_metrics>({.board = yard.board}).find(R"("failures":1)") !=
          std::string::npos);
    if (has_failed_column)
      yard.call<&service::retry_task>({.id = 1});
    else
      yard.call<&service::unblock_task>({.id = 1});
    CHECK(yard.get(1).stage == Stage::ready);
  }
}

TEST_CASE("LandingQueue.AcceptedWorkThatIsBlockedByItsLandingIsUnblockedToReady") {
  Yard yard{"classic"};
  yard.call<&service::edit_task>({.id = 1, .max_attempts = 1, .force = true});
  yard.finish(yard.run, kWork);
  yard.call<&service::move_task>({.id = 1, .status = "done", .force = true});
  yard.call<&service::return_landing>({.id = 1, .reason = "conflict in a.txt"});
  CHECK(yard.get(1).stage == Stage::blocked);
  yard.call<&service::unblock_task>({.id = 1});
  CHECK(yard.get(1).stage == Stage::ready);
}

TEST_CASE("LandingQueue.HeldWorkKeepsItsPlaceAndSaysWhyOnce") {
  Yard yard;
  yard.finish(yard.run, kWork);
  yard.call<&service::hold_landing>({.id = 1, .reason = "local changes"});
  auto const seq = yard.last_seq();
  yard.call<&service::hold_landing>({.id = 1, .reason = "local changes"});
  CHECK(yard.last_seq() == seq);
  CHECK(yard.landing()->reason == "local changes");
  CHECK(yard.queue() == std::vector<core::RunId>{1});
}

TEST_CASE("LandingQueue.WorkTakenUpAgainLeavesTheQueue") {
  Yard yard;
  yard.finish(yard.run, kWork);
  yard.call<&service::move_task>({.id = 1, .status = "todo", .force = true});
  CHECK(yard.get(1).flag.empty());
  CHECK(yard.get(1).claimed_by.empty());
  CHECK(yard.queue().empty());
  CHECK(yard.landing()->state == LandingState::withdrawn);
}

TEST_CASE("LandingQueue.WhatBuildsOnWaitingWorkIsNotPickedBeforeItLanded") {
  Yard yard;
  yard.create("Pay", {.status = "todo", .role = "coder", .depends_on = {1}});
  yard.finish(yard.run, kWork);
  CHECK(yard.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.TestApp::call<&service::dispatch_next>({.worker = "dev"}).task == 2);
}

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

TEST_CASE("Reported.DependentsAndChainsWaitUntilTheWorkHasLanded") {
  Yard yard;
  yard.call<&service::edit_task>(
      {.id = 1, .next_tasks = std::vector<core::NextTask>{{.title = "QA", .role = "qa"}}, .force = true});
  auto const child = yard.create("Pay", {.status = "todo", .role = "coder", .depends_on = {1}}).id;
  yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
  auto const nothing_followed = [&] {
    CHECK(yard.get(1).stage == Stage::active);
    CHECK(yard.get(1).flag == "reported");
    CHECK(yard.stored(child).state.open_deps == 1);
    CHECK(yard.snapshot().tasks.size() == 2);
  };
  nothing_followed();
  yard.finish(yard.run, kWork);
  nothing_followed();
  // The worker is free meanwhile.
  yard.create("Other", {.status = "todo", .role = "coder"});
  CHECK(yard.start("dev").task == 3);
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.get(1).stage == Stage::done);
  CHECK(yard.stored(child).state.open_deps == 0);
  CHECK(yard.snapshot().tasks.size() == 4);
}

TEST_CASE("Reported.WorkIsTakenBackByAPersonWhileItWaitsToLand") {
  for (auto const& act : {test::call_of<&service::kill_task>({.id = 1}),
                          test::call_of<&service::block_task>({.id = 1, .reason = "wait", .force = true}),
                          test::call_of<&service::archive_task>({.id = 1, .force = true})}) {
    CAPTURE(act.operation);
    Yard yard;
    yard.finish(yard.run, kWork);
    yard.answer(act);
    CHECK(yard.stored(1).flag.empty());
    CHECK(yard.stored(1).claimed_by.empty());
    CHECK(yard.landing()->state == LandingState::withdrawn);
    CHECK(yard.queue().empty());
  }
}

TEST_CASE("Reported.AFailingCheckBacksOffLikeAnyFailedAttempt") {
  Yard yard;
  yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
  yard.finish(yard.run, work_with({{.name = "unit", .passed = false}}));
  auto const back = yard.stored(1);
  CHECK(back.stage == Stage::ready);
  CHECK(back.not_before > yard.clock.now());
  CHECK(back.flag.empty());
  CHECK(back.attempt == 1);
}

TEST_CASE("Reported.WithoutItsProcessesNobodyHasSeenTheChecksPass") {
  Yard yard;
  yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
  CHECK(yard.finish(yard.run, {.stopped_because = core::StopReason::lost}).outcome == Outcome::lost);
  CHECK(yard.get(1).stage == Stage::ready);
}

TEST_CASE("Reported.SilenceAfterwardsTakesNothingBack") {
  Yard yard;
  yard.call<&service::block_task>({.id = 1, .reason = "which?"}, agent(yard.run));
  CHECK(yard.finish(yard.run, {.stopped_because = core::StopReason::stale}).outcome == Outcome::blocked);
  CHECK(yard.get(1).question->text == "which?");
}

TEST_CASE("Reported.TheAnswerSaysHowItGoesOn") {
  Yard yard;
  for (int again = 0; again < 2; ++again) {
    auto const told = yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
    CHECK(told.notice.starts_with("Reported. End now"));
    CHECK(told.warnings.empty());
  }
  CHECK(yard.get(1).notice.empty());
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

TEST_CASE("Checks.ThoseOfTheTaskElseAllOfTheBoardWhereWorkIsJudgedOrLanded") {
  core::Board board;
  board.checks = {{"lint", {"true"}}, {"unit", {"true"}}};
  core::Task task;
  CHECK(service::checks_of(board, task).empty());
  task.checks = {"unit"};
  CHECK(service::checks_of(board, task) == std::vector<std::string>{"unit"});
  task.checks.clear();
  board.repo = "/srv/shop";
  board.worktree = true;
  CHECK(service::checks_of(board, task) == std::vector<std::string>{"lint", "unit"});
  board.land = core::LandingPolicy::off;
  CHECK(service::checks_of(board, task).empty());
  board.columns.emplace_back();
  board.columns.back().stage = Stage::review;
  CHECK(service::checks_of(board, task).size() == 2);
}

TEST_CASE("Work.TheLimitIsASize") {
  TestApp app;
  for (auto const* good : {"20GiB", "500MiB", "0", "1024", "2T"})
    app.call<&service::limit_work>({.limit = std::string{good}});
  for (auto const* bad : {"", "much", "-1GiB", "20 GiB", "1.5GiB", "99999999999999999999", "9000000000TiB"})
    CHECK(app.refusal<&service::limit_work>({.limit = std::string{bad}}) == "INVALID_INPUT");
}

TEST_CASE("Work.OnlyTheAdministratorSaysWhatIsLanded") {
  TestApp app;
  auto const bob = test::person("bob");
  using Policies = service::BoardPolicies;
  for (auto const& policy :
       {Policies{.land = core::LandingPolicy::off}, Policies{.repo = "/srv"}, Policies{.worktree = true}})
    CHECK(app.refusal<&service::edit_board>({policy, "classic"}, bob) == "FORBIDDEN");
}
