#include <thread>

#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::on;
using test::person;
using test::TestApp;

TEST_CASE("Claim.IsOverWhenItsLeaseEndsWithoutAnySweep") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  auto const held = app.task("claim_task", on(task.id, R"("by":"bob")"));
  CHECK(app.refusal("update_task", on(task.id, R"("title":"x")")) == "TASK_CLAIMED");
  app.clock.advance(59min);
  CHECK(app.refusal("claim_task", on(task.id, R"("by":"eve")")) == "TASK_CLAIMED");
  app.clock.advance(1min);
  CHECK(app.refusal("update_task", on(task.id, R"("title":"x","epoch":)" + std::to_string(held.epoch))) ==
        "STALE_CLAIM");
  auto const taken = app.task("claim_task", on(task.id, R"("by":"eve")"));
  CHECK(taken.claimed_by == "eve");
  CHECK(taken.epoch > held.epoch);
}

TEST_CASE("Claim.AgainByItsHolderRenewsAndKeepsTheEpoch") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  app.clock.advance(30min);
  auto const again = app.task("claim_task", on(task.id, R"("by":"bob")"));
  CHECK(again.epoch == task.epoch);
  CHECK(again.attempt == task.attempt);
  CHECK(*again.claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.EveryWriteOfTheHolderRenewsIt") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  for (auto const* members : {R"("title":"Other","claim":"bob")", R"("tags":["a"],"epoch":1)"}) {
    app.clock.advance(10min);
    CHECK(*app.task("update_task", on(task.id, members)).claim_expires == app.clock.now() + 1h);
  }
  app.clock.advance(10min);
  auto const moved = app.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  CHECK(*moved.claim_expires == app.clock.now() + 1h);
  app.clock.advance(10min);
  app.task("add_note", on(task.id, R"("text":"still here")"), person("bob"));
  CHECK(*app.get(task.id).claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.WritesOfOthersDoNotRenewIt") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  app.clock.advance(10min);
  app.task("update_task", on(task.id, R"("title":"Other","force":true)"));
  CHECK(app.get(task.id).claim_expires == task.claim_expires);
}

TEST_CASE("Claim.ABeatOfTheHolderExtendsIt") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  app.clock.advance(50min);
  app.answer("heartbeat", on(task.id, "\"epoch\":" + std::to_string(task.epoch)), person("bob"));
  CHECK(*app.get(task.id).claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.ABeatThatComesSoonCountsAsWell") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  app.clock.advance(1min);
  app.answer("heartbeat", on(task.id, "\"epoch\":" + std::to_string(task.epoch)), person("bob"));
  CHECK(*app.get(task.id).claim_expires == app.clock.now() + 1h);
}

TEST_CASE("Claim.NeverExpiresWhereTheBoardSaysSo") {
  TestApp app;
  app.answer("edit_board", R"({"board":"classic","claim_timeout":"0s"})");
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  app.clock.advance(24h * 365);
  CHECK(app.error("delete_task", on(task.id)).message.find("never expires") != std::string::npos);
}

TEST_CASE("Claim.OldFutureAndMissingEpochsAreRefusedByEveryVerbOfAHolder") {
  TestApp app("flow");
  auto const task = app.create("Task", R"("status":"todo","claim":"bob")");
  struct Verb {
    std::string_view operation, members;
  };
  for (auto const& [operation, members] :
       {Verb{"update_task", R"("title":"x")"}, Verb{"move_task", R"("status":"done")"},
        Verb{"submit_task", R"("result":"x")"}, Verb{"complete_task", R"("result":"x")"},
        Verb{"fail_task", R"("reason":"x")"}, Verb{"block_task", R"("reason":"x")"},
        Verb{"handoff_task", R"("note":"x")"}, Verb{"archive_task", R"("force":false)"},
        Verb{"delete_task", R"("force":false)"}, Verb{"start_task", R"("force":false)"},
        Verb{"claim_task", R"("by":"eve")"}}) {
    CAPTURE(operation);
    for (auto const epoch : {task.epoch - 1, task.epoch + 1})
      CHECK(app.refusal(operation, on(task.id, std::string{members} +
                                                   ",\"epoch\":" + std::to_string(epoch))) == "STALE_CLAIM");
    CHECK(app.refusal(operation, on(task.id, members), person("eve")) == "TASK_CLAIMED");
  }
  for (auto const epoch : {task.epoch - 1, task.epoch + 1}) {
    auto const members = "\"epoch\":" + std::to_string(epoch);
    CHECK(app.refusal("heartbeat", on(task.id, members), person("bob")) == "STALE_CLAIM");
    CHECK(app.refusal("release_task", on(task.id, members), person("bob")) == "STALE_CLAIM");
  }
  CHECK(app.refusal("heartbeat", on(task.id), person("bob")) == "INVALID_INPUT");
}

TEST_CASE("Claim.EndsWithWhatFinishesOrHandsOverTheWork") {
  struct Verb {
    std::string_view operation, members;
  };
  for (auto const& [operation, members] :
       {Verb{"submit_task", R"("claim":"bob")"}, Verb{"complete_task", R"("claim":"bob")"},
        Verb{"fail_task", R"("reason":"x","claim":"bob")"},
        Verb{"block_task", R"("reason":"x","claim":"bob")"}, Verb{"archive_task", R"("claim":"bob")"},
        Verb{"release_task", R"("claim":"bob")"}, Verb{"handoff_task", R"("release":true,"claim":"bob")"}}) {
    TestApp app("flow");
    CAPTURE(operation);
    auto const task = app.create("Task", R"("status":"in-progress","claim":"bob")");
    auto const after = app.task(operation, on(task.id, members));
    CHECK(after.claimed_by.empty());
    CHECK(after.epoch > task.epoch);
  }
}

TEST_CASE("Claim.OfATaskWithAnOpenDependencyIsRefused") {
  TestApp app;
  app.create("First", R"("status":"todo")");
  auto const task = app.create("Second", R"("status":"todo","depends_on":[1])");
  CHECK(app.refusal("claim_task", on(task.id, R"("by":"bob")")) == "DEPENDENCY_OPEN");
  CHECK(app.move(task.id, "in_progress").stage == core::Stage::active);
}

TEST_CASE("Claim.OfANewTaskIsRefusedToAWorkerOnlyWhileADependencyIsOpen") {
  TestApp app("flow");
  app.create("First");
  app.add_worker("robot");
  CHECK(app.create("Second", R"("depends_on":[1],"claim":"bob")").claimed_by == "bob");
  auto const error = app.error("create_task", R"({"title":"Third","depends_on":[1],"claim":"robot"})");
  CHECK(error.code == core::Code::kDependencyOpen);
  CHECK(error.message == "the new task waits for #1");
}

TEST_CASE("Claim.OfANewTaskLivesInDoneButNotInTheArchive") {
  TestApp app("flow");
  CHECK(app.create("Done", R"("status":"done","claim":"bob")").claimed_by == "bob");
  CHECK(app.create("Gone", R"("status":"archived","claim":"bob")").claimed_by.empty());
}

TEST_CASE("Start.IsRefusedWhileADependencyIsOpen") {
  TestApp app("queue");
  auto const first = app.create("First");
  app.create("Second", R"("status":"ready")");
  auto const picked = app.task("pick_task", R"({"by":"bob"})");
  app.task("update_task", on(picked.id, R"("claim":"bob","add_deps":[)" + std::to_string(first.id) + "]"));
  CHECK(app.refusal("start_task", on(picked.id, R"("claim":"bob")")) == "DEPENDENCY_OPEN");
}

TEST_CASE("Start.NeedsTheClaim") {
  TestApp app("queue");
  app.create("Task", R"("status":"ready")");
  CHECK(app.refusal("start_task", on(1)) == "CLAIM_REQUIRED");
  app.task("pick_task", R"({"by":"bob"})");
  CHECK(app.task("start_task", on(1, R"("claim":"bob")")).stage == core::Stage::active);
}

TEST_CASE("Worker.HoldsOneTaskOverAllBoards") {
  TestApp app;
  app.answer("create_board", R"({"name":"other","template":"flow"})");
  app.add_worker("dev");
  app.create("First", R"("status":"todo","assignee":"dev")");
  auto const second = app.create("Second", R"("board":"other","status":"todo","assignee":"dev")");
  CHECK(app.move(1, "in_progress").claimed_by == "dev");
  auto const error = app.error("claim_task", on(second.id, R"("by":"dev")"));
  CHECK(error.code == core::Code::kWorkerBusy);
  CHECK(error.message == "Worker \"dev\" already has task #1 in progress");
  CHECK(app.refusal("move_task", on(second.id, R"("status":"in-progress","claim":"dev")")) == "WORKER_BUSY");
  CHECK(app.refusal("pick_task", R"({"worker":"dev"})") == "WORKER_BUSY");
  CHECK(app.refusal("create_task", R"({"title":"x","status":"todo","claim":"dev"})") == "WORKER_BUSY");
  app.task("move_task", on(1, R"("status":"done","claim":"dev")"));
  CHECK(app.task("claim_task", on(second.id, R"("by":"dev")")).claimed_by == "dev");
}

TEST_CASE("Worker.AClaimInTheBacklogCountsWhenItsTaskComesOut") {
  TestApp app;
  app.add_worker("dev");
  auto const idea = app.create("Idea", R"("claim":"dev")");
  auto const task = app.create("Task", R"("status":"todo","claim":"dev")");
  CHECK(app.refusal("move_task", on(idea.id, R"("status":"todo","claim":"dev")")) == "WORKER_BUSY");
  CHECK(app.refusal("update_task", on(idea.id, R"("status":"todo","claim":"dev")")) == "WORKER_BUSY");
  CHECK(app.refusal("approve_task", on(idea.id)) == "WORKER_BUSY");
  app.task("release_task", on(task.id));
  CHECK(app.task("approve_task", on(idea.id)).stage == core::Stage::ready);
}

TEST_CASE("Worker.CapacityIsWhatItSays") {
  TestApp app;
  app.add_worker("dev", R"("capacity":2,"takes_unassigned":true)");
  for (int i = 0; i < 3; ++i) app.create("Task", R"("status":"todo")");
  app.task("pick_task", R"({"worker":"dev"})");
  app.task("pick_task", R"({"worker":"dev"})");
  CHECK(app.refusal("pick_task", R"({"worker":"dev"})") == "WORKER_BUSY");
}

TEST_CASE("Worker.SixtyFourRacersHaveOneWinner") {
  TestApp app;
  app.add_worker("dev");
  constexpr int kRacers = 64;
  // The first is for those who pick: whoever claims what the worker holds already would renew it.
  for (int i = 0; i <= kRacers; ++i) app.create("Task", R"("status":"todo","assignee":"dev")");
  std::atomic<int> won = 0, busy = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 1; i <= kRacers; ++i)
      racers.emplace_back([&, i] {
        auto const answer = i % 3 == 0   ? app.ask("pick_task", R"({"worker":"dev"})")
                            : i % 3 == 1 ? app.ask("claim_task", on(i + 1, R"("by":"dev")"))
                                         : app.ask("move_task", on(i + 1, R"("status":"in_progress")"));
        if (answer)
          ++won;
        else if (answer.error().code == core::Code::kWorkerBusy)
          ++busy;
      });
  }
  CHECK(won == 1);
  CHECK(busy == kRacers - 1);
}

TEST_CASE("Claim.SixtyFourRacersForOneTaskHaveOneWinner") {
  TestApp app;
  app.create("Task", R"("status":"todo")");
  std::atomic<int> won = 0, refused = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 0; i < 64; ++i)
      racers.emplace_back([&, i] {
        auto const answer = app.ask("claim_task", on(1, "\"by\":\"a" + std::to_string(i) + "\""));
        if (answer)
          ++won;
        else if (answer.error().code == core::Code::kTaskClaimed)
          ++refused;
      });
  }
  CHECK(won == 1);
  CHECK(refused == 63);
}

TEST_CASE("Release.PutsStrictWorkBackIntoTheQueueAndLeavesOpenWorkWhereItIs") {
  TestApp strict("queue");
  strict.create("Task", R"("status":"ready")");
  strict.task("pick_task", R"({"by":"bob"})");
  strict.task("start_task", on(1, R"("claim":"bob")"));
  CHECK(strict.task("release_task", on(1)).stage == core::Stage::ready);
  TestApp open("flow");
  open.create("Task", R"("status":"in-progress","claim":"bob")");
  CHECK(open.task("release_task", on(1)).status == "in-progress");
}

TEST_CASE("Claim.OfALiveRunIsGivenToNobodyBeforeItsProcessesAreGone") {
  TestApp app{"classic"};
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Task", R"("status":"todo")");
  auto const run = app.start("dev");
  app.clock.advance(1h);
  CHECK(app.refusal("claim_task", on(1, R"("by":"ann")")) == "TASK_CLAIMED");
  CHECK(app.refusal("dispatch_next", R"({"worker":"dev","runner":"local"})") == "WORKER_BUSY");
  app.run("finish_run", on(run.id, R"("stopped_because":"lost")"));
  CHECK(app.task("claim_task", on(1, R"("by":"ann")")).claimed_by == "ann");
}

TEST_CASE("Claim.OfUnapprovedWorkIsRefusedWhereTheMachineIsStrict") {
  TestApp app("queue");
  app.create("Task");
  for (auto const* request : {R"("by":"bob")", R"("by":"bob","force":true)"}) {
    auto const refused = app.error("claim_task", on(1, request));
    CHECK(refused.code == core::Code::kIllegalTransition);
    CHECK(refused.message.contains("possible now: approve"));
  }
  app.task("approve_task", on(1));
  CHECK(app.task("claim_task", on(1, R"("by":"bob")")).claimed_by == "bob");
}

TEST_CASE("Claim.OfUnapprovedWorkIsNotForWorkers") {
  TestApp app;
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Task");
  auto caller = test::ann();
  caller.actor = {core::ActorKind::worker, "dev"};
  CHECK(app.refusal("claim_task", on(1, R"("by":"dev")"), caller) == "APPROVAL_REQUIRED");
  CHECK(app.refusal("claim_task", on(1, R"("by":"dev")")) == "APPROVAL_REQUIRED");
  CHECK(app.refusal("claim_task", on(1, R"("by":"free-agent")")) == "APPROVAL_REQUIRED");
  CHECK(app.task("claim_task", on(1)).claimed_by == "ann");
}

TEST_CASE("Claim.OfBlockedWorkIsForPeopleAlone") {
  for (auto const* shape : {"classic", "flow", "queue"}) {
    CAPTURE(shape);
    TestApp app(shape);
    app.add_worker("dev", R"("takes_unassigned":true)");
    app.create("Task", shape == std::string{"queue"} ? R"("status":"ready")" : R"("status":"todo")");
    app.task("block_task", on(1, R"("reason":"no key")"));
    for (auto const* name : {"dev", "free-agent"})
      CHECK(app.refusal("claim_task", on(1, "\"by\":\"" + std::string{name} + "\"")) == "ILLEGAL_TRANSITION");
    app.task("unblock_task", on(1));
    CHECK(app.task("claim_task", on(1, R"("by":"free-agent")")).claimed_by == "free-agent");
  }
}
