#include "service/runs/landing_queue.hpp"

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
