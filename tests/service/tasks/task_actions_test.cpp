#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::on;
using test::TestApp;

namespace {

/// A task of a strict board that somebody works on.
core::Task in_work(TestApp& app, std::string_view members = R"("status":"ready")") {
  app.create("Task", members);
  auto const task = app.task("pick_task", R"({"by":"bob"})");
  return app.task("start_task", on(task.id, R"("claim":"bob")"));
}

std::size_t count_of(TestApp& app) { return app.snapshot().tasks.size(); }

}  // namespace

TEST_CASE("Complete.GoesToReviewWhereOneAppliesElseToDone") {
  TestApp queue("queue");
  auto const task = in_work(queue);
  auto const done = queue.task("complete_task", on(task.id, R"("claim":"bob","result":"made it")"));
  CHECK(done.stage == Stage::review);
  CHECK(done.result == "made it");
  TestApp classic;
  classic.create("Task", R"("status":"in_progress")");
  CHECK(classic.task("complete_task", on(1)).stage == Stage::done);
}

TEST_CASE("Complete.NeedsNoVerdictWhereTheTaskOrItsRoleSaysSo") {
  TestApp app("queue");
  for (auto const* members : {R"("review":"none")", R"("role":"qa")", R"("role":"planner")"}) {
    auto const task = app.create("Task", std::string{members} + R"(,"status":"ready")");
    auto const role = task.role.empty() ? "" : ",\"role\":\"" + task.role + "\"";
    app.task("pick_task", R"({"by":"bob")" + role + "}");
    app.task("start_task", on(task.id, R"("claim":"bob")"));
    CHECK(app.task("complete_task", on(task.id, R"("claim":"bob")")).stage == Stage::done);
  }
}

TEST_CASE("Complete.AgainChangesNothingAndIsNoVerdict") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"in-progress","claim":"bob")");
  CHECK(app.task("complete_task", on(task.id, R"("claim":"bob")")).stage == Stage::review);
  auto const seq = app.last_seq();
  CHECK(app.task("complete_task", on(task.id, R"("claim":"bob")")).stage == Stage::review);
  CHECK(app.last_seq() == seq);
  CHECK(app.task("accept_task", on(task.id)).stage == Stage::done);
  CHECK(app.task("complete_task", on(task.id)).stage == Stage::done);
  CHECK(app.task("accept_task", on(task.id)).stage == Stage::done);
}

TEST_CASE("Complete.OnAStrictBoardFollowsTheTable") {
  TestApp app("queue");
  app.create("Task", R"("status":"ready")");
  CHECK(app.refusal("complete_task", on(1)) == "ILLEGAL_TRANSITION");
  app.task("pick_task", R"({"by":"bob"})");
  CHECK(app.refusal("complete_task", on(1, R"("claim":"bob")")) == "ILLEGAL_TRANSITION");
  CHECK(app.refusal("submit_task", on(1, R"("claim":"bob")")) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Complete.ALongResultIsCutBetweenCharactersInTheHistory") {
  TestApp app;
  app.create("Task", R"("status":"in_progress")");
  std::string result(499, 'x');
  for (int i = 0; i < 10; ++i) result += "ä";
  app.task("complete_task", on(1, "\"result\":\"" + result + "\""));
  CHECK(app.get(1).result == result);
  auto const json = app.answer("list_events", R"({"kind":"task.completed"})");
  CHECK(json.find(std::string(499, 'x') + "\"") != std::string::npos);
}

TEST_CASE("Chain.FiresOnceWithWhatTheParentLeft") {
  TestApp app;
  app.create("Cart", R"("status":"in_progress","next_tasks":[
      {"title":"QA for {{parent.title}}","body":"{{ parent.result }} of {{parent.key}} {{else}}","role":"qa","tags":["t"],
       "next_tasks":[{"title":"Ship {{parent.title}}"}]}])");
  auto const done = app.task("complete_task", on(1, R"("result":"{{parent.id}} works")"));
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
  app.task("complete_task", on(1));
  app.move(1, "todo");
  app.task("complete_task", on(1));
  CHECK(count_of(app) == 2);
  app.task("complete_task", on(2));
  CHECK(app.get(3).title == "Ship QA for Cart");
}

TEST_CASE("Chain.OfTheBoardAppliesToItsRole") {
  TestApp app("queue");
  app.create("Code", R"("role":"coder","status":"ready")");
  app.task("pick_task", R"({"by":"bob","role":"coder"})");
  app.task("start_task", on(1, R"("claim":"bob")"));
  app.task("complete_task", on(1, R"("claim":"bob")"));
  CHECK(count_of(app) == 1);
  app.task("accept_task", on(1));
  CHECK(app.get(2).title == "QA Review for #1");
  CHECK(app.get(2).review == core::ReviewRule::none);
}

TEST_CASE("Chain.EndsAtItsGreatestDepthAndSaysSo") {
  TestApp app;
  app.answer("edit_board", R"({"board":"classic","chains":[{"role":"","next":{"title":"Again"}}]})");
  app.create("Start", R"("status":"in_progress")");
  for (int id = 1; id <= 6; ++id) app.task("complete_task", on(id));
  CHECK(count_of(app) == 6);
  CHECK(app.kinds(0).back() == "limit.reached");
}

TEST_CASE("Chain.FilledInTextCannotSpoilATitleOrGrowWithoutBounds") {
  TestApp app;
  std::string many;
  for (int i = 0; i < 4000; ++i) many += "{{parent.result}}";
  app.create("Start",
             R"("status":"in_progress","next_tasks":[{"title":"{{parent.result}}","body":")" + many + "\"}]");
  app.task("complete_task", on(1, R"("result":"\u202eevil)" + std::string(5000, 'x') + "\""));
  CHECK(app.get(2).title == "{{parent.result}}");
  CHECK(app.get(2).body.size() == 1'048'576);
}

TEST_CASE("Chain.WaitsInTheBacklogWhileReadyIsFull") {
  TestApp app;
  app.answer("edit_board", R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},
      {"name":"todo","wip_limit":1},{"name":"done","stage":"done"}]})");
  app.create("Start", R"("status":"todo","next_tasks":[{"title":"A"},{"title":"B"}])");
  app.task("complete_task", on(1));
  CHECK(app.get(2).status == "todo");
  CHECK(app.get(3).status == "backlog");
}

TEST_CASE("Fail.IsTriedAgainLaterUntilTheAttemptsAreUsedUp") {
  TestApp app("queue");
  app.create("Task", R"("status":"ready","max_attempts":2)");
  for (int attempt = 1; attempt <= 2; ++attempt) {
    CHECK(app.task("pick_task", R"({"by":"bob"})").attempt == attempt);
    app.task("start_task", on(1, R"("claim":"bob")"));
    auto const failed =
        app.task("fail_task", on(1, R"("claim":"bob","reason":"reason )" + std::to_string(attempt) + "\""));
    CHECK(failed.stage == (attempt == 1 ? Stage::ready : Stage::failed));
    if (attempt == 2) break;
    auto const wait = *failed.not_before - app.clock.now();
    CHECK(wait >= 24s);
    CHECK(wait <= 36s);
    CHECK(app.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
    app.clock.advance(36s);
  }
  auto const again = app.task("retry_task", on(1));
  CHECK(again.stage == Stage::ready);
  CHECK(again.attempt == 0);
  CHECK_FALSE(again.not_before);
}

TEST_CASE("Fail.ForTheSameReasonTwiceParksAtOnce") {
  TestApp app("queue");
  in_work(app);
  CHECK(app.task("fail_task", on(1, R"("claim":"bob","reason":"no compiler")")).stage == Stage::ready);
  app.clock.advance(1min);
  app.task("pick_task", R"({"by":"bob"})");
  app.task("start_task", on(1, R"("claim":"bob")"));
  CHECK(app.task("fail_task", on(1, R"("claim":"bob","reason":"no compiler")")).stage == Stage::failed);
}

TEST_CASE("Fail.WithoutAFailedColumnParksInBlockedOrBacklog") {
  for (auto const& [name, column] : {std::pair{"classic", "blocked"}, {"flow", "backlog"}}) {
    TestApp app(name);
    app.create("Task", R"("status":"todo","claim":"bob","max_attempts":1)");
    auto const parked = app.task("fail_task", on(1, R"("claim":"bob","reason":"no compiler")"));
    CHECK(parked.status == column);
    CHECK(parked.blocked);
    CHECK(parked.block_reason == "no compiler");
    CHECK(app.task("update_task", on(1, R"("title":"Other")")).status == column);
    CHECK(app.task("retry_task", on(1)).stage == Stage::ready);
  }
}

TEST_CASE("Review.ARejectionGoesBackWithItsReason") {
  TestApp app("queue");
  in_work(app);
  app.task("complete_task", on(1, R"("claim":"bob")"));
  CHECK(app.refusal("reject_task", on(1, R"("reason":" ")")) == "INVALID_INPUT");
  CHECK(app.task("reject_task", on(1, R"("reason":"no tests")")).stage == Stage::ready);
  CHECK(app.events().back().data == R"({"reason":"no tests"})");
  CHECK(app.task("pick_task", R"({"by":"bob"})").attempt == 2);
  CHECK(app.refusal("accept_task", on(1)) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Block.GoesToTheBlockedColumnAndBack") {
  TestApp app;
  app.create("Task", R"("status":"todo")");
  CHECK(app.task("block_task", on(1, R"("reason":"no key")")).status == "blocked");
  auto const back = app.task("unblock_task", on(1));
  CHECK(back.status == "todo");
  CHECK_FALSE(back.blocked);
  auto const seq = app.last_seq();
  app.task("unblock_task", on(1));
  CHECK(app.last_seq() == seq);
}

TEST_CASE("Block.IsAMarkOnlyOnABoardWithoutSuchAColumn") {
  TestApp app("flow");
  app.create("Task", R"("status":"in-progress","claim":"bob")");
  auto const blocked = app.task("block_task", on(1, R"("reason":"no key","claim":"bob")"));
  CHECK(blocked.status == "in-progress");
  CHECK(blocked.blocked);
  CHECK(blocked.claimed_by.empty());
  CHECK(app.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
  CHECK(app.task("unblock_task", on(1)).status == "in-progress");
}

TEST_CASE("Unblock.LeavesPeoplesWorkWhereItWas") {
  TestApp app;
  app.create("Task", R"("status":"in_progress")");
  app.task("block_task", on(1, R"("reason":"no key")"));
  CHECK(app.task("unblock_task", on(1)).status == "in_progress");
}

TEST_CASE("Unblock.MakesTheWorkOfAWorkerReadyAgain") {
  TestApp app;
  app.add_worker("developer");
  app.create("Task", R"("status":"todo","assignee":"developer")");
  auto const run = app.start("developer");
  app.task("block_task", on(1, R"("reason":"no key")"), test::agent(run));
  app.finish(run);
  CHECK(app.get(1).status == "blocked");
  CHECK(app.task("unblock_task", on(1)).status == "todo");
}

TEST_CASE("Block.FollowsTheTableOnAStrictBoard") {
  TestApp app("queue");
  in_work(app, R"("status":"ready","max_attempts":1)");
  app.task("fail_task", on(1, R"("claim":"bob","reason":"x")"));
  CHECK(app.refusal("block_task", on(1, R"("reason":"no key")")) == "ILLEGAL_TRANSITION");
  CHECK(app.refusal("block_task", on(1, R"("reason":"")")) == "INVALID_INPUT");
}

TEST_CASE("Unblock.RespectsTheLimitOfTheColumnItReturnsTo") {
  TestApp app;
  app.answer("edit_board", R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},
      {"name":"todo","wip_limit":1},{"name":"blocked","stage":"blocked"},{"name":"done","stage":"done"}]})");
  app.create("A", R"("status":"todo")");
  app.task("block_task", on(1, R"("reason":"no key")"));
  app.create("B", R"("status":"todo")");
  CHECK(app.refusal("unblock_task", on(1)) == "WIP_LIMIT_EXCEEDED");
}

TEST_CASE("Handoff.GoesToReviewWithANoteAndKeepsTheClaimUnlessReleased") {
  TestApp app("flow");
  app.create("Task", R"("status":"in-progress","claim":"bob")");
  auto const handed = app.task("handoff_task", on(1, R"("claim":"bob","note":"see branch","to":"eve")"));
  CHECK(handed.stage == Stage::review);
  CHECK(handed.claimed_by == "bob");
  CHECK(handed.assignee == "eve");
  CHECK(app.kinds(0).back() == "task.noted");
}

TEST_CASE("Handoff.OfATaskNobodyHoldsMakesNoClaim") {
  TestApp app("flow");
  app.create("Task", R"("status":"in-progress")");
  auto const handed = app.task("handoff_task", on(1));
  CHECK(handed.stage == Stage::review);
  CHECK_FALSE(handed.claim_expires);
}

TEST_CASE("Kill.PutsIntoTheBacklogAndNeverIntoReady") {
  TestApp app;
  app.create("Task", R"("status":"in_progress","claim":"bob")");
  auto const killed = app.task("kill_task", on(1));
  CHECK(killed.stage == Stage::backlog);
  CHECK_FALSE(killed.approved);
  CHECK(app.refusal("kill_task", on(1)) == "ILLEGAL_TRANSITION");
  TestApp bare;
  bare.answer(
      "edit_board",
      R"({"board":"classic","columns":[{"name":"todo"},{"name":"doing","stage":"active"},{"name":"done","stage":"done"}]})");
  bare.create("Task", R"("status":"doing","claim":"bob")");
  bare.task("kill_task", on(1));
  CHECK(bare.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
}
