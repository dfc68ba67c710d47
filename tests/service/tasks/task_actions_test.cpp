#include "service/tasks/task_actions.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/history/history.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/pick.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::TestApp;

namespace {

/// A task of a strict board that somebody works on.
core::Task in_work(TestApp& app, service::CreateTaskRequest const& request = {.status = "ready"}) {
  app.create("Task", request);
  auto const task = app.call<&service::pick_task>({.by = "bob"});
  return app.call<&service::start_task>({.id = task.id, .claim = "bob"});
}

std::size_t count_of(TestApp& app) { return app.snapshot().tasks.size(); }

}  // namespace

TEST_CASE("Complete.GoesToReviewWhereOneAppliesElseToDone") {
  TestApp queue("queue");
  auto const task = in_work(queue);
  auto const done = queue.call<&service::complete_task>({.id = task.id, .result = "made it", .claim = "bob"});
  CHECK(done.stage == Stage::review);
  CHECK(done.result == "made it");
  TestApp classic;
  classic.create("Task", {.status = "in_progress"});
  CHECK(classic.call<&service::complete_task>({.id = 1}).stage == Stage::done);
}

TEST_CASE("Complete.NeedsNoVerdictWhereTheTaskOrItsRoleSaysSo") {
  TestApp app("queue");
  using New = service::CreateTaskRequest;
  for (auto const& request :
       {New{.status = "ready", .review = core::ReviewRule::none}, New{.status = "ready", .role = "qa"},
        New{.status = "ready", .role = "planner"}}) {
    auto const task = app.create("Task", request);
    app.call<&service::pick_task>({.by = "bob", .role = task.role});
    app.call<&service::start_task>({.id = task.id, .claim = "bob"});
    CHECK(app.call<&service::complete_task>({.id = task.id, .claim = "bob"}).stage == Stage::done);
  }
}

TEST_CASE("Complete.AgainChangesNothingAndIsNoVerdict") {
  TestApp app("flow");
  auto const task = app.create("Task", {.status = "in-progress", .claim = "bob"});
  CHECK(app.call<&service::complete_task>({.id = task.id, .claim = "bob"}).stage == Stage::review);
  auto const seq = app.last_seq();
  CHECK(app.call<&service::complete_task>({.id = task.id, .claim = "bob"}).stage == Stage::review);
  CHECK(app.last_seq() == seq);
  CHECK(app.call<&service::accept_task>({.id = task.id}).stage == Stage::done);
  CHECK(app.call<&service::complete_task>({.id = task.id}).stage == Stage::done);
  CHECK(app.call<&service::accept_task>({.id = task.id}).stage == Stage::done);
}

TEST_CASE("Complete.OnAStrictBoardFollowsTheTable") {
  TestApp app("queue");
  app.create("Task", {.status = "ready"});
  CHECK(app.refusal<&service::complete_task>({.id = 1}) == "ILLEGAL_TRANSITION");
  app.call<&service::pick_task>({.by = "bob"});
  CHECK(app.refusal<&service::complete_task>({.id = 1, .claim = "bob"}) == "ILLEGAL_TRANSITION");
  CHECK(app.refusal<&service::submit_task>({.id = 1, .claim = "bob"}) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Complete.ALongResultIsCutBetweenCharactersInTheHistory") {
  TestApp app;
  app.create("Task", {.status = "in_progress"});
  std::string result(499, 'x');
  for (int i = 0; i < 10; ++i) result += "ä";
  app.call<&service::complete_task>({.id = 1, .result = result});
  CHECK(app.get(1).result == result);
  auto const json = app.answer<&service::list_events>({.kind = core::EventKind::task_completed});
  CHECK(json.find(std::string(499, 'x') + "\"") != std::string::npos);
}

TEST_CASE("Chain.FiresOnceWithWhatTheParentLeft") {
  TestApp app;
  app.create("Cart", {.status = "in_progress",
                      .next_tasks = {{.title = "QA for {{parent.title}}",
                                      .body = "{{ parent.result }} of {{parent.key}} {{else}}",
                                      .role = "qa",
                                      .tags = {"t"},
                                      .next_tasks = {{.title = "Ship {{parent.title}}"}}}}});
  auto const done = app.call<&service::complete_task>({.id = 1, .result = "{{parent.id}} works"});
  CHECK(done.children->total == 1);
  CHECK(done.rev == app.get(1).rev);
  auto const child = app.get(2);
  CHECK(child.title == "QA for Cart");
  CHECK(child.body == "{{parent.id}} works of #1 {{else}}");
  CHECK(child.role == "qa");
  CHECK(child.tags == std::vector<std::string>{"t"});
  CHECK(child.stage == Stage::ready);
  CHECK(child.source == "chain");
  CHECK(child.parent == 1);
  app.call<&service::complete_task>({.id = 1});
  app.move(1, "todo");
  app.call<&service::complete_task>({.id = 1});
  CHECK(count_of(app) == 2);
  app.call<&service::complete_task>({.id = 2});
  CHECK(app.get(3).title == "Ship QA for Cart");
}

TEST_CASE("Chain.OfTheBoardAppliesToItsRole") {
  TestApp app("queue");
  app.create("Code", {.status = "ready", .role = "coder"});
  app.call<&service::pick_task>({.by = "bob", .role = "coder"});
  app.call<&service::start_task>({.id = 1, .claim = "bob"});
  app.call<&service::complete_task>({.id = 1, .claim = "bob"});
  CHECK(count_of(app) == 1);
  app.call<&service::accept_task>({.id = 1});
  CHECK(app.get(2).title == "QA Review for #1");
  CHECK(app.get(2).review == core::ReviewRule::none);
}

TEST_CASE("Chain.EndsAtItsGreatestDepthAndSaysSo") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.chains = std::vector<core::ChainRule>{{.role = "", .next = {.title = "Again"}}}}, "classic"});
  app.create("Start", {.status = "in_progress"});
  for (std::int64_t id = 1; id <= 6; ++id) app.call<&service::complete_task>({.id = core::TaskId{id}});
  CHECK(count_of(app) == 6);
  CHECK(app.kinds(0).back() == "limit.reached");
}

TEST_CASE("Chain.FilledInTextCannotSpoilATitleOrGrowWithoutBounds") {
  TestApp app;
  std::string many;
  for (int i = 0; i < 4000; ++i) many += "{{parent.result}}";
  app.create("Start",
             {.status = "in_progress", .next_tasks = {{.title = "{{parent.result}}", .body = many}}});
  app.call<&service::complete_task>({.id = 1, .result = "\u202eevil" + std::string(5000, 'x')});
  CHECK(app.get(2).title == "{{parent.result}}");
  CHECK(app.get(2).body.size() == many.size() + 131'072);
}

TEST_CASE("Chain.WaitsInTheBacklogWhileReadyIsFull") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns = std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                             {.name = "todo", .wip_limit = 1},
                                             {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  app.create("Start", {.status = "todo", .next_tasks = {{.title = "A"}, {.title = "B"}}});
  app.call<&service::complete_task>({.id = 1});
  CHECK(app.get(2).status == "todo");
  CHECK(app.get(3).status == "backlog");
}

TEST_CASE("Fail.IsTriedAgainLaterUntilTheAttemptsAreUsedUp") {
  TestApp app("queue");
  app.create("Task", {.status = "ready", .max_attempts = 2});
  for (int attempt = 1; attempt <= 2; ++attempt) {
    CHECK(app.call<&service::pick_task>({.by = "bob"}).attempt == attempt);
    app.call<&service::start_task>({.id = 1, .claim = "bob"});
    auto const failed = app.call<&service::fail_task>(
        {.id = 1, .reason = "reason " + std::to_string(attempt), .claim = "bob"});
    CHECK(failed.stage == (attempt == 1 ? Stage::ready : Stage::failed));
    if (attempt == 2) break;
    auto const wait = *failed.not_before - app.clock.now();
    CHECK(wait >= 24s);
    CHECK(wait <= 36s);
    CHECK(app.refusal<&service::pick_task>({.by = "bob"}) == "NOTHING_TO_PICK");
    app.clock.advance(36s);
  }
  auto const again = app.call<&service::retry_task>({.id = 1});
  CHECK(again.stage == Stage::ready);
  CHECK(again.attempt == 0);
  CHECK_FALSE(again.not_before);
}

TEST_CASE("Fail.ForTheSameReasonTwiceParksAtOnce") {
  TestApp app("queue");
  in_work(app);
  CHECK(app.call<&service::fail_task>({.id = 1, .reason = "no compiler", .claim = "bob"}).stage ==
        Stage::ready);
  app.clock.advance(1min);
  app.call<&service::pick_task>({.by = "bob"});
  app.call<&service::start_task>({.id = 1, .claim = "bob"});
  CHECK(app.call<&service::fail_task>({.id = 1, .reason = "no compiler", .claim = "bob"}).stage ==
        Stage::failed);
}

TEST_CASE("Fail.WithoutAFailedColumnParksInBlockedOrBacklog") {
  for (auto const& [name, column] : {std::pair{"classic", "blocked"}, {"flow", "backlog"}}) {
    TestApp app(name);
    app.create("Task", {.status = "todo", .max_attempts = 1, .claim = "bob"});
    auto const parked = app.call<&service::fail_task>({.id = 1, .reason = "no compiler", .claim = "bob"});
    CHECK(parked.status == column);
    CHECK(parked.blocked);
    CHECK(parked.block_reason == "no compiler");
    CHECK(app.call<&service::edit_task>({.id = 1, .title = "Other"}).status == column);
    CHECK(app.call<&service::retry_task>({.id = 1}).stage == Stage::ready);
  }
}

TEST_CASE("Review.ARejectionGoesBackWithItsReason") {
  TestApp app("queue");
  in_work(app);
  app.call<&service::complete_task>({.id = 1, .claim = "bob"});
  CHECK(app.refusal<&service::reject_task>({.id = 1, .reason = " "}) == "INVALID_INPUT");
  CHECK(app.call<&service::reject_task>({.id = 1, .reason = "no tests"}).stage == Stage::ready);
  CHECK(app.events().back().data == R"({"reason":"no tests"})");
  CHECK(app.call<&service::pick_task>({.by = "bob"}).attempt == 2);
  CHECK(app.refusal<&service::accept_task>({.id = 1}) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Block.GoesToTheBlockedColumnAndBack") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  CHECK(app.call<&service::block_task>({.id = 1, .reason = "no key"}).status == "blocked");
  auto const back = app.call<&service::unblock_task>({.id = 1});
  CHECK(back.status == "todo");
  CHECK_FALSE(back.blocked);
  auto const seq = app.last_seq();
  app.call<&service::unblock_task>({.id = 1});
  CHECK(app.last_seq() == seq);
}

TEST_CASE("Block.IsAMarkOnlyOnABoardWithoutSuchAColumn") {
  TestApp app("flow");
  app.create("Task", {.status = "in-progress", .claim = "bob"});
  auto const blocked = app.call<&service::block_task>({.id = 1, .reason = "no key", .claim = "bob"});
  CHECK(blocked.status == "in-progress");
  CHECK(blocked.blocked);
  CHECK(blocked.claimed_by.empty());
  CHECK(app.refusal<&service::pick_task>({.by = "bob"}) == "NOTHING_TO_PICK");
  CHECK(app.call<&service::unblock_task>({.id = 1}).status == "in-progress");
}

TEST_CASE("Unblock.LeavesPeoplesWorkWhereItWas") {
  TestApp app;
  app.create("Task", {.status = "in_progress"});
  app.call<&service::block_task>({.id = 1, .reason = "no key"});
  CHECK(app.call<&service::unblock_task>({.id = 1}).status == "in_progress");
}

TEST_CASE("Unblock.MakesTheWorkOfAWorkerReadyAgain") {
  TestApp app;
  app.add_worker("developer");
  app.create("Task", {.status = "todo", .assignee = "developer"});
  auto const run = app.start("developer");
  app.call<&service::block_task>({.id = 1, .reason = "no key"}, test::agent(run));
  app.finish(run);
  CHECK(app.get(1).status == "blocked");
  CHECK(app.call<&service::unblock_task>({.id = 1}).status == "todo");
}

TEST_CASE("Block.FollowsTheTableOnAStrictBoard") {
  TestApp app("queue");
  in_work(app, {.status = "ready", .max_attempts = 1});
  app.call<&service::fail_task>({.id = 1, .reason = "x", .claim = "bob"});
  CHECK(app.refusal<&service::block_task>({.id = 1, .reason = "no key"}) == "ILLEGAL_TRANSITION");
  CHECK(app.refusal<&service::block_task>({.id = 1, .reason = ""}) == "INVALID_INPUT");
}

TEST_CASE("Unblock.RespectsTheLimitOfTheColumnItReturnsTo") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns = std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                             {.name = "todo", .wip_limit = 1},
                                             {.name = "blocked", .stage = core::Stage::blocked},
                                             {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  app.create("A", {.status = "todo"});
  app.call<&service::block_task>({.id = 1, .reason = "no key"});
  app.create("B", {.status = "todo"});
  CHECK(app.refusal<&service::unblock_task>({.id = 1}) == "WIP_LIMIT_EXCEEDED");
}

TEST_CASE("Handoff.GoesToReviewWithANoteAndKeepsTheClaimUnlessReleased") {
  TestApp app("flow");
  app.create("Task", {.status = "in-progress", .claim = "bob"});
  auto const handed =
      app.call<&service::handoff_task>({.id = 1, .note = "see branch", .to = "eve", .claim = "bob"});
  CHECK(handed.stage == Stage::review);
  CHECK(handed.claimed_by == "bob");
  CHECK(handed.assignee == "eve");
  CHECK(app.kinds(0).back() == "task.noted");
}

TEST_CASE("Handoff.OfATaskNobodyHoldsMakesNoClaim") {
  TestApp app("flow");
  app.create("Task", {.status = "in-progress"});
  auto const handed = app.call<&service::handoff_task>({.id = 1});
  CHECK(handed.stage == Stage::review);
  CHECK_FALSE(handed.claim_expires);
}

TEST_CASE("Kill.PutsIntoTheBacklogAndNeverIntoReady") {
  TestApp app;
  app.create("Task", {.status = "in_progress", .claim = "bob"});
  auto const killed = app.call<&service::kill_task>({.id = 1});
  CHECK(killed.stage == Stage::backlog);
  CHECK_FALSE(killed.approved);
  CHECK(app.refusal<&service::kill_task>({.id = 1}) == "ILLEGAL_TRANSITION");
  TestApp bare;
  bare.call<&service::edit_board>(
      {{.columns = std::vector<core::Column>{{.name = "todo"},
                                             {.name = "doing", .stage = core::Stage::active},
                                             {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  bare.create("Task", {.status = "doing", .claim = "bob"});
  bare.call<&service::kill_task>({.id = 1});
  CHECK(bare.refusal<&service::pick_task>({.by = "bob"}) == "NOTHING_TO_PICK");
}
