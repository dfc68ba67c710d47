#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::House;
using test::on;

namespace {

/// A task of a strict board that somebody works on.
core::Task in_work(House& house, std::string_view members = R"("status":"ready")") {
  house.create("Task", members);
  auto const task = house.task("pick_task", R"({"by":"bob"})");
  return house.task("start_task", on(task.id, R"("claim":"bob")"));
}

std::size_t count_of(House& house) { return house.snapshot().tasks.size(); }

}  // namespace

TEST_CASE("Complete.GoesToReviewWhereOneAppliesElseToDone") {
  House queue("queue");
  auto const task = in_work(queue);
  auto const done = queue.task("complete_task", on(task.id, R"("claim":"bob","result":"made it")"));
  CHECK(done.stage == Stage::review);
  CHECK(done.result == "made it");
  House classic;
  classic.create("Task", R"("status":"in_progress")");
  CHECK(classic.task("complete_task", on(1)).stage == Stage::done);
}

TEST_CASE("Complete.NeedsNoVerdictWhereTheTaskOrItsRoleSaysSo") {
  House house("queue");
  for (auto const* members : {R"("review":"none")", R"("role":"qa")", R"("role":"planner")"}) {
    auto const task = house.create("Task", std::string{members} + R"(,"status":"ready")");
    auto const role = task.role.empty() ? "" : ",\"role\":\"" + task.role + "\"";
    house.task("pick_task", R"({"by":"bob")" + role + "}");
    house.task("start_task", on(task.id, R"("claim":"bob")"));
    CHECK(house.task("complete_task", on(task.id, R"("claim":"bob")")).stage == Stage::done);
  }
}

TEST_CASE("Complete.AgainChangesNothingAndIsNoVerdict") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"in-progress","claim":"bob")");
  CHECK(house.task("complete_task", on(task.id, R"("claim":"bob")")).stage == Stage::review);
  auto const seq = house.last_seq();
  CHECK(house.task("complete_task", on(task.id, R"("claim":"bob")")).stage == Stage::review);
  CHECK(house.last_seq() == seq);
  CHECK(house.task("accept_task", on(task.id)).stage == Stage::done);
  CHECK(house.task("complete_task", on(task.id)).stage == Stage::done);
  CHECK(house.task("accept_task", on(task.id)).stage == Stage::done);
}

TEST_CASE("Complete.OnAStrictBoardFollowsTheTable") {
  House house("queue");
  house.create("Task", R"("status":"ready")");
  CHECK(house.refusal("complete_task", on(1)) == "ILLEGAL_TRANSITION");
  house.task("pick_task", R"({"by":"bob"})");
  CHECK(house.refusal("complete_task", on(1, R"("claim":"bob")")) == "ILLEGAL_TRANSITION");
  CHECK(house.refusal("submit_task", on(1, R"("claim":"bob")")) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Complete.ALongResultIsCutBetweenCharactersInTheHistory") {
  House house;
  house.create("Task", R"("status":"in_progress")");
  std::string result(499, 'x');
  for (int i = 0; i < 10; ++i) result += "ä";
  house.task("complete_task", on(1, "\"result\":\"" + result + "\""));
  CHECK(house.get(1).result == result);
  auto const json = house.answer("list_events", R"({"kind":"task.completed"})");
  CHECK(json.find(std::string(499, 'x') + "\"") != std::string::npos);
}

TEST_CASE("Chain.FiresOnceWithWhatTheParentLeft") {
  House house;
  house.create("Cart", R"("status":"in_progress","next_tasks":[
      {"title":"QA for {{parent.title}}","body":"{{ parent.result }} of {{parent.key}} {{else}}","role":"qa","tags":["t"],
       "next_tasks":[{"title":"Ship {{parent.title}}"}]}])");
  auto const done = house.task("complete_task", on(1, R"("result":"{{parent.id}} works")"));
  CHECK(done.children->total == 1);
  CHECK(done.rev == house.get(1).rev);
  auto const child = house.get(2);
  CHECK(child.title == "QA for Cart");
  CHECK(child.body == "{{parent.id}} works of #1 {{else}}");
  CHECK(child.role == "qa");
  CHECK(child.tags == std::vector<std::string>{"t"});
  CHECK(child.stage == Stage::ready);
  CHECK(child.source == "chain");
  CHECK(child.parent == 1);
  house.task("complete_task", on(1));
  house.move(1, "todo");
  house.task("complete_task", on(1));
  CHECK(count_of(house) == 2);
  house.task("complete_task", on(2));
  CHECK(house.get(3).title == "Ship QA for Cart");
}

TEST_CASE("Chain.OfTheBoardAppliesToItsRole") {
  House house("queue");
  house.create("Code", R"("role":"coder","status":"ready")");
  house.task("pick_task", R"({"by":"bob","role":"coder"})");
  house.task("start_task", on(1, R"("claim":"bob")"));
  house.task("complete_task", on(1, R"("claim":"bob")"));
  CHECK(count_of(house) == 1);
  house.task("accept_task", on(1));
  CHECK(house.get(2).title == "QA Review for #1");
  CHECK(house.get(2).review == core::ReviewRule::none);
}

TEST_CASE("Chain.EndsAtItsGreatestDepthAndSaysSo") {
  House house;
  house.answer("edit_board", R"({"board":"classic","chains":[{"role":"","next":{"title":"Again"}}]})");
  house.create("Start", R"("status":"in_progress")");
  for (core::TaskId id = 1; id <= 6; ++id) house.task("complete_task", on(id));
  CHECK(count_of(house) == 6);
  CHECK(house.kinds(0).back() == "limit.reached");
}

TEST_CASE("Chain.FilledInTextCannotSpoilATitleOrGrowWithoutBounds") {
  House house;
  std::string many;
  for (int i = 0; i < 4000; ++i) many += "{{parent.result}}";
  house.create("Start", R"("status":"in_progress","next_tasks":[{"title":"{{parent.result}}","body":")" +
                            many + "\"}]");
  house.task("complete_task", on(1, R"("result":"\u202eevil)" + std::string(5000, 'x') + "\""));
  CHECK(house.get(2).title == "{{parent.result}}");
  CHECK(house.get(2).body.size() == 1'048'576);
}

TEST_CASE("Chain.WaitsInTheBacklogWhileReadyIsFull") {
  House house;
  house.answer("edit_board", R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},
      {"name":"todo","wip_limit":1},{"name":"done","stage":"done"}]})");
  house.create("Start", R"("status":"todo","next_tasks":[{"title":"A"},{"title":"B"}])");
  house.task("complete_task", on(1));
  CHECK(house.get(2).status == "todo");
  CHECK(house.get(3).status == "backlog");
}

TEST_CASE("Fail.IsTriedAgainLaterUntilTheAttemptsAreUsedUp") {
  House house("queue");
  house.create("Task", R"("status":"ready","max_attempts":2)");
  for (int attempt = 1; attempt <= 2; ++attempt) {
    CHECK(house.task("pick_task", R"({"by":"bob"})").attempt == attempt);
    house.task("start_task", on(1, R"("claim":"bob")"));
    auto const failed =
        house.task("fail_task", on(1, R"("claim":"bob","reason":"reason )" + std::to_string(attempt) + "\""));
    CHECK(failed.stage == (attempt == 1 ? Stage::ready : Stage::failed));
    if (attempt == 2) break;
    auto const wait = *failed.not_before - house.clock.now();
    CHECK(wait >= 24s);
    CHECK(wait <= 36s);
    CHECK(house.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
    house.clock.advance(36s);
  }
  auto const again = house.task("retry_task", on(1));
  CHECK(again.stage == Stage::ready);
  CHECK(again.attempt == 0);
  CHECK_FALSE(again.not_before);
}

TEST_CASE("Fail.ForTheSameReasonTwiceParksAtOnce") {
  House house("queue");
  in_work(house);
  CHECK(house.task("fail_task", on(1, R"("claim":"bob","reason":"no compiler")")).stage == Stage::ready);
  house.clock.advance(1min);
  house.task("pick_task", R"({"by":"bob"})");
  house.task("start_task", on(1, R"("claim":"bob")"));
  CHECK(house.task("fail_task", on(1, R"("claim":"bob","reason":"no compiler")")).stage == Stage::failed);
}

TEST_CASE("Fail.WithoutAFailedColumnParksInBlockedOrBacklog") {
  for (auto const& [name, column] : {std::pair{"classic", "blocked"}, {"flow", "backlog"}}) {
    House house(name);
    house.create("Task", R"("status":"todo","claim":"bob","max_attempts":1)");
    auto const parked = house.task("fail_task", on(1, R"("claim":"bob","reason":"no compiler")"));
    CHECK(parked.status == column);
    CHECK(parked.blocked);
    CHECK(parked.block_reason == "no compiler");
    CHECK(house.task("update_task", on(1, R"("title":"Other")")).status == column);
    CHECK(house.task("retry_task", on(1)).stage == Stage::ready);
  }
}

TEST_CASE("Review.ARejectionGoesBackWithItsReason") {
  House house("queue");
  in_work(house);
  house.task("complete_task", on(1, R"("claim":"bob")"));
  CHECK(house.refusal("reject_task", on(1, R"("reason":" ")")) == "INVALID_INPUT");
  CHECK(house.task("reject_task", on(1, R"("reason":"no tests")")).stage == Stage::ready);
  CHECK(house.events().back().data == R"({"reason":"no tests"})");
  CHECK(house.task("pick_task", R"({"by":"bob"})").attempt == 2);
  CHECK(house.refusal("accept_task", on(1)) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Block.GoesToTheBlockedColumnAndBack") {
  House house;
  house.create("Task", R"("status":"todo")");
  CHECK(house.task("block_task", on(1, R"("reason":"no key")")).status == "blocked");
  auto const back = house.task("unblock_task", on(1));
  CHECK(back.status == "todo");
  CHECK_FALSE(back.blocked);
  auto const seq = house.last_seq();
  house.task("unblock_task", on(1));
  CHECK(house.last_seq() == seq);
}

TEST_CASE("Block.IsAMarkOnlyOnABoardWithoutSuchAColumn") {
  House house("flow");
  house.create("Task", R"("status":"in-progress","claim":"bob")");
  auto const blocked = house.task("block_task", on(1, R"("reason":"no key","claim":"bob")"));
  CHECK(blocked.status == "in-progress");
  CHECK(blocked.blocked);
  CHECK(blocked.claimed_by.empty());
  CHECK(house.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
  CHECK(house.task("unblock_task", on(1)).status == "in-progress");
}

TEST_CASE("Unblock.LeavesPeoplesWorkWhereItWas") {
  House house;
  house.create("Task", R"("status":"in_progress")");
  house.task("block_task", on(1, R"("reason":"no key")"));
  CHECK(house.task("unblock_task", on(1)).status == "in_progress");
}

TEST_CASE("Unblock.MakesTheWorkOfAWorkerReadyAgain") {
  House house;
  house.add_worker("developer");
  house.create("Task", R"("status":"todo","assignee":"developer")");
  auto const run = house.start("developer");
  house.task("block_task", on(1, R"("reason":"no key")"), test::agent(run));
  house.finish(run);
  CHECK(house.get(1).status == "blocked");
  CHECK(house.task("unblock_task", on(1)).status == "todo");
}

TEST_CASE("Block.FollowsTheTableOnAStrictBoard") {
  House house("queue");
  in_work(house, R"("status":"ready","max_attempts":1)");
  house.task("fail_task", on(1, R"("claim":"bob","reason":"x")"));
  CHECK(house.refusal("block_task", on(1, R"("reason":"no key")")) == "ILLEGAL_TRANSITION");
  CHECK(house.refusal("block_task", on(1, R"("reason":"")")) == "INVALID_INPUT");
}

TEST_CASE("Unblock.RespectsTheLimitOfTheColumnItReturnsTo") {
  House house;
  house.answer("edit_board", R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},
      {"name":"todo","wip_limit":1},{"name":"blocked","stage":"blocked"},{"name":"done","stage":"done"}]})");
  house.create("A", R"("status":"todo")");
  house.task("block_task", on(1, R"("reason":"no key")"));
  house.create("B", R"("status":"todo")");
  CHECK(house.refusal("unblock_task", on(1)) == "WIP_LIMIT_EXCEEDED");
}

TEST_CASE("Handoff.GoesToReviewWithANoteAndKeepsTheClaimUnlessReleased") {
  House house("flow");
  house.create("Task", R"("status":"in-progress","claim":"bob")");
  auto const handed = house.task("handoff_task", on(1, R"("claim":"bob","note":"see branch","to":"eve")"));
  CHECK(handed.stage == Stage::review);
  CHECK(handed.claimed_by == "bob");
  CHECK(handed.assignee == "eve");
  CHECK(house.kinds(0).back() == "task.noted");
}

TEST_CASE("Handoff.OfATaskNobodyHoldsMakesNoClaim") {
  House house("flow");
  house.create("Task", R"("status":"in-progress")");
  auto const handed = house.task("handoff_task", on(1));
  CHECK(handed.stage == Stage::review);
  CHECK_FALSE(handed.claim_expires);
}

TEST_CASE("Kill.PutsIntoTheBacklogAndNeverIntoReady") {
  House house;
  house.create("Task", R"("status":"in_progress","claim":"bob")");
  auto const killed = house.task("kill_task", on(1));
  CHECK(killed.stage == Stage::backlog);
  CHECK_FALSE(killed.approved);
  CHECK(house.refusal("kill_task", on(1)) == "ILLEGAL_TRANSITION");
  House bare;
  bare.answer(
      "edit_board",
      R"({"board":"classic","columns":[{"name":"todo"},{"name":"doing","stage":"active"},{"name":"done","stage":"done"}]})");
  bare.create("Task", R"("status":"doing","claim":"bob")");
  bare.task("kill_task", on(1));
  CHECK(bare.refusal("pick_task", R"({"by":"bob"})") == "NOTHING_TO_PICK");
}
