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
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::LandingState;
using core::Outcome;
using core::Stage;
using test::agent;
using test::on;
using test::TestApp;

namespace {

constexpr char kWork[] =
    R"("result":"made it","exit":{"code":0},"base":"b0","head":"c1","branch":"andon/1-cart","commits":["c1"])";

/// A board with a repository and work trees, and a worker who does task 1.
struct Yard : TestApp {
  explicit Yard(std::string_view template_ = "classic", std::string_view policies = R"("land":"auto")")
      : TestApp(template_) {
    answer("edit_board", R"({"board":")" + board + R"(","repo":"/srv/shop","worktree":true,)" +
                             std::string{policies} + "}");
    add_worker("dev", {.role = "coder"});
    create("Cart", {.status = template_ == "queue" ? "ready" : "todo", .role = "coder"});
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
};

}  // namespace

TEST_CASE("LandingQueue.DoneWorkWithCommitsWaitsInTheOrderItWasAccepted") {
  Yard yard;
  yard.finish_of_json(yard.run, kWork);
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
  Yard yard("queue", R"("review_by":"person")");
  yard.finish_of_json(yard.run, kWork);
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
  yard.finish_of_json(yard.run, kWork);
  CHECK(yard.queue() == std::vector<core::RunId>{1});
}

TEST_CASE("LandingQueue.NothingWaitsWithoutCommitsOrWhereNothingIsLanded") {
  Yard same;
  same.finish(same.run, {.result = "looked", .exit = {.code = 0}, .base = "b0", .head = "b0"});
  CHECK(same.queue().empty());
  for (auto const* policies : {R"("land":"off")", R"("worktree":false)", R"("repo":"")"}) {
    Yard off("classic", std::string_view{policies} == R"("land":"off")" ? policies : R"("land":"auto")");
    off.answer("edit_board", R"({"board":"classic",)" + std::string{policies} + "}");
    off.finish_of_json(off.run, kWork);
    CHECK(off.queue().empty());
  }
}

TEST_CASE("LandingQueue.LandedWorkIsRecordedAndToldOnce") {
  Yard yard;
  yard.finish_of_json(yard.run, kWork);
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
  yard.finish_of_json(yard.run, kWork);
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.landing()->commit == "d1");
  CHECK(yard.landing()->branch == "main");
  CHECK(yard.answer<&service::list_cards>({.board = yard.board}).find("returned") == std::string::npos);

  Yard other;
  other.finish_of_json(other.run, kWork);
  other.call<&service::return_landing>({.id = 1, .reason = "conflict", .files = {"a.txt", "b.txt"}});
  CHECK(other.landing()->files == std::vector<std::string>{"a.txt", "b.txt"});
  CHECK(other.answer<&service::list_cards>({.board = other.board}).find(R"("returned":true)") !=
        std::string::npos);
}

TEST_CASE("LandingQueue.TheCardOfWorkInReviewTellsHowMuchThereIsToJudge") {
  Yard yard("queue", R"("review_by":"person")");
  yard.finish_of_json(yard.run,
                      std::string{kWork} +
                          R"(,"diff_size":{"files":4,"added":96,"removed":12},"usage":{"cost_usd":1.32},)"
                          R"("checks":[{"name":"unit","passed":true},{"name":"lint","passed":true}])");
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
  yard.finish_of_json(yard.run, kWork);
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
    yard.finish_of_json(yard.run, kWork);
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
    yard.finish_of_json(yard.run, kWork);
    if (yard.get(1).stage == Stage::review) yard.call<&service::accept_task>({.id = 1});
    yard.call<&service::return_landing>({.id = 1, .reason = "conflict in a.txt"});
    auto const parked = yard.get(1);
    bool const has_failed_column = template_ == "queue";
    CHECK(parked.stage == (has_failed_column ? Stage::failed : Stage::blocked));
    CHECK(parked.blocked != has_failed_column);
    CHECK(yard.answer<&service::flow_metrics>({.board = yard.board}).find(R"("failures":1)") !=
          std::string::npos);
    yard.task(has_failed_column ? "retry_task" : "unblock_task", on(1));
    CHECK(yard.get(1).stage == Stage::ready);
  }
}

TEST_CASE("LandingQueue.AcceptedWorkThatIsBlockedByItsLandingIsUnblockedToReady") {
  Yard yard{"classic"};
  yard.call<&service::edit_task>({.id = 1, .max_attempts = 1, .force = true});
  yard.finish_of_json(yard.run, kWork);
  yard.call<&service::move_task>({.id = 1, .status = "done", .force = true});
  yard.call<&service::return_landing>({.id = 1, .reason = "conflict in a.txt"});
  CHECK(yard.get(1).stage == Stage::blocked);
  yard.call<&service::unblock_task>({.id = 1});
  CHECK(yard.get(1).stage == Stage::ready);
}

TEST_CASE("LandingQueue.HeldWorkKeepsItsPlaceAndSaysWhyOnce") {
  Yard yard;
  yard.finish_of_json(yard.run, kWork);
  yard.call<&service::hold_landing>({.id = 1, .reason = "local changes"});
  auto const seq = yard.last_seq();
  yard.call<&service::hold_landing>({.id = 1, .reason = "local changes"});
  CHECK(yard.last_seq() == seq);
  CHECK(yard.landing()->reason == "local changes");
  CHECK(yard.queue() == std::vector<core::RunId>{1});
}

TEST_CASE("LandingQueue.WorkTakenUpAgainLeavesTheQueue") {
  Yard yard;
  yard.finish_of_json(yard.run, kWork);
  yard.call<&service::move_task>({.id = 1, .status = "todo", .force = true});
  CHECK(yard.get(1).flag.empty());
  CHECK(yard.get(1).claimed_by.empty());
  CHECK(yard.queue().empty());
  CHECK(yard.landing()->state == LandingState::withdrawn);
}

TEST_CASE("LandingQueue.WhatBuildsOnWaitingWorkIsNotPickedBeforeItLanded") {
  Yard yard;
  yard.create("Pay", {.status = "todo", .role = "coder", .depends_on = {1}});
  yard.finish_of_json(yard.run, kWork);
  CHECK(yard.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.TestApp::call<&service::dispatch_next>({.worker = "dev"}).task == 2);
}

TEST_CASE("Evidence.AFailedCheckSendsReportedWorkBackOnEveryBoard") {
  for (auto const* template_ : {"classic", "flow", "queue"}) {
    Yard yard(template_, R"("review_by":"person","checks":{"unit":["true"]})");
    yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
    auto const ended = yard.finish_of_json(
        yard.run, std::string{kWork} + R"(,"checks":[{"name":"unit","output":"2 of 9 failed"}])");
    INFO(template_);
    CHECK(ended.outcome == Outcome::failed);
    auto const back = yard.stored(1);
    CHECK(back.stage == Stage::ready);
    CHECK(back.state.last_failure == "check \"unit\" failed:\n2 of 9 failed");
    CHECK(yard.queue().empty());
  }
}

TEST_CASE("Evidence.WordsAndPassedChecksOverAnUntouchedTreeAreNone") {
  for (auto const* ending : {R"("exit":{"code":0})", R"("exit":{"code":0},"result":"added x.txt")",
                             R"("exit":{"code":0},"checks":[{"name":"unit","passed":true}])"})
    for (bool const says_done : {true, false}) {
      CAPTURE(ending);
      CAPTURE(says_done);
      Yard judged("queue", R"("review_by":"checks")");
      if (says_done)
        judged.call<&service::complete_task>({.id = 1, .result = "added x.txt"}, agent(judged.run));
      CHECK(judged.finish_of_json(judged.run, ending).outcome == Outcome::incomplete);
      CHECK(judged.get(1).stage == Stage::review);
      CHECK(judged.get(1).flag == "no evidence");

      Yard plain;
      if (says_done)
        plain.call<&service::complete_task>({.id = 1, .result = "added x.txt"}, agent(plain.run));
      plain.finish_of_json(plain.run, ending);
      CHECK(plain.get(1).stage == Stage::blocked);
      CHECK(plain.get(1).flag == "no evidence");

      Yard lax("classic", R"("require_evidence":false)");
      if (says_done) lax.call<&service::complete_task>({.id = 1, .result = "added x.txt"}, agent(lax.run));
      lax.finish_of_json(lax.run, ending);
      CHECK(lax.get(1).stage == Stage::done);
      CHECK(lax.get(1).flag == "no evidence");
    }
}

TEST_CASE("Evidence.AChangedFileACommitOrACreatedTaskIsSome") {
  for (auto const* ending :
       {R"("exit":{"code":0},"files_changed":1)", R"("exit":{"code":0},"commits":["c1"])"}) {
    Yard yard("queue", R"("review_by":"person")");
    CHECK(yard.finish_of_json(yard.run, ending).outcome == Outcome::succeeded);
  }
  Yard planner;
  planner.create("Found on the way", {}, agent(planner.run));
  CHECK(planner.finish(planner.run, {.exit = {.code = 0}}).outcome == Outcome::succeeded);
  CHECK(planner.get(1).stage == Stage::done);
}

TEST_CASE("Evidence.FromASharedDirectoryIsFlagged") {
  for (bool const has_tree : {true, false}) {
    Yard yard("queue", R"("review_by":"person")");
    yard.answer("edit_board",
                R"({"board":"queue","worktree":)" + std::string{has_tree ? "true" : "false"} + "}");
    yard.finish(yard.run, {.exit = {.code = 0}, .files_changed = 1});
    CHECK(yard.get(1).flag == (has_tree ? "" : "shared directory"));
  }
}

TEST_CASE("Evidence.ThatNothingHadToBeChangedIsForAPersonWhereOneJudges") {
  constexpr char kNothing[] = R"("result":"it works","no_change":"it was fixed before")";
  Yard judged("queue", R"("review_by":"checks")");
  judged.task("complete_task", on(1, kNothing), agent(judged.run));
  auto const run =
      judged.finish(judged.run, {.exit = {.code = 0}, .checks = {{.name = "unit", .passed = true}}});
  CHECK(run.outcome == Outcome::succeeded);
  CHECK(run.no_change == "it was fixed before");
  CHECK(judged.get(1).stage == Stage::review);
  CHECK(judged.get(1).flag == "no change");

  for (auto const* template_ : {"classic", "queue"}) {
    Yard lax(template_, R"("require_evidence":false,"review_by":"checks")");
    lax.task("complete_task", on(1, kNothing), agent(lax.run));
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
  yard.finish_of_json(yard.run, kWork);
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
  for (auto const* act : {"kill_task", "block_task", "archive_task"}) {
    CAPTURE(act);
    Yard yard;
    yard.finish_of_json(yard.run, kWork);
    yard.task(act, on(1, std::string_view{act} == "block_task"     ? R"("reason":"wait","force":true)"
                         : std::string_view{act} == "archive_task" ? R"("force":true)"
                                                                   : ""));
    CHECK(yard.stored(1).flag.empty());
    CHECK(yard.stored(1).claimed_by.empty());
    CHECK(yard.landing()->state == LandingState::withdrawn);
    CHECK(yard.queue().empty());
  }
}

TEST_CASE("Reported.AFailingCheckBacksOffLikeAnyFailedAttempt") {
  Yard yard;
  yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
  yard.finish_of_json(yard.run, std::string{kWork} + R"(,"checks":[{"name":"unit","passed":false}])");
  auto const back = yard.stored(1);
  CHECK(back.stage == Stage::ready);
  CHECK(back.not_before > yard.clock.now());
  CHECK(back.flag.empty());
  CHECK(back.attempt == 1);
}

TEST_CASE("Reported.WithoutItsProcessesNobodyHasSeenTheChecksPass") {
  Yard yard;
  yard.call<&service::complete_task>({.id = 1, .result = "made it"}, agent(yard.run));
  CHECK(yard.finish(yard.run, {.stopped_because = "lost"}).outcome == Outcome::lost);
  CHECK(yard.get(1).stage == Stage::ready);
}

TEST_CASE("Reported.SilenceAfterwardsTakesNothingBack") {
  Yard yard;
  yard.call<&service::block_task>({.id = 1, .reason = "which?"}, agent(yard.run));
  CHECK(yard.finish(yard.run, {.stopped_because = "stale"}).outcome == Outcome::blocked);
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
  auto const ended =
      yard.finish(yard.run, {.stopped_because = "workspace", .result = "the repository is not there"});
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
  for (auto const* policy : {R"("land":"off")", R"("repo":"/srv")", R"("worktree":true)"})
    CHECK(app.refusal("edit_board", R"({"board":"classic",)" + std::string{policy} + "}", bob) ==
          "FORBIDDEN");
}
