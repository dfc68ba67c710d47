#include <thread>

#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::House;
using test::on;
using test::person;

TEST_CASE("Claim.IsOverWhenItsLeaseEndsWithoutAnySweep") {
  House house;
  auto const task = house.create("Task", R"("status":"todo")");
  auto const held = house.task("claim_task", on(task.id, R"("by":"bob")"));
  CHECK(house.refusal("update_task", on(task.id, R"("title":"x")")) == "TASK_CLAIMED");
  house.clock.advance(59min);
  CHECK(house.refusal("claim_task", on(task.id, R"("by":"eve")")) == "TASK_CLAIMED");
  house.clock.advance(1min);
  CHECK(house.refusal("update_task", on(task.id, R"("title":"x","epoch":)" + std::to_string(held.epoch))) ==
        "STALE_CLAIM");
  auto const taken = house.task("claim_task", on(task.id, R"("by":"eve")"));
  CHECK(taken.claimed_by == "eve");
  CHECK(taken.epoch > held.epoch);
}

TEST_CASE("Claim.AgainByItsHolderRenewsAndKeepsTheEpoch") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.advance(30min);
  auto const again = house.task("claim_task", on(task.id, R"("by":"bob")"));
  CHECK(again.epoch == task.epoch);
  CHECK(again.attempt == task.attempt);
  CHECK(*again.claim_expires == house.clock.now() + 1h);
}

TEST_CASE("Claim.EveryWriteOfTheHolderRenewsIt") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  for (auto const* members : {R"("title":"Other","claim":"bob")", R"("tags":["a"],"epoch":1)"}) {
    house.clock.advance(10min);
    CHECK(*house.task("update_task", on(task.id, members)).claim_expires == house.clock.now() + 1h);
  }
  house.clock.advance(10min);
  auto const moved = house.task("move_task", on(task.id, R"("status":"in-progress","claim":"bob")"));
  CHECK(*moved.claim_expires == house.clock.now() + 1h);
  house.clock.advance(10min);
  house.task("add_note", on(task.id, R"("text":"still here")"), person("bob"));
  CHECK(*house.get(task.id).claim_expires == house.clock.now() + 1h);
}

TEST_CASE("Claim.WritesOfOthersDoNotRenewIt") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.advance(10min);
  house.task("update_task", on(task.id, R"("title":"Other","force":true)"));
  CHECK(house.get(task.id).claim_expires == task.claim_expires);
}

TEST_CASE("Claim.ABeatOfTheHolderExtendsIt") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.advance(50min);
  house.answer("heartbeat", on(task.id, "\"epoch\":" + std::to_string(task.epoch)), person("bob"));
  CHECK(*house.get(task.id).claim_expires == house.clock.now() + 1h);
}

TEST_CASE("Claim.ABeatThatComesSoonCountsAsWell") {
  House house;
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.advance(1min);
  house.answer("heartbeat", on(task.id, "\"epoch\":" + std::to_string(task.epoch)), person("bob"));
  CHECK(*house.get(task.id).claim_expires == house.clock.now() + 1h);
}

TEST_CASE("Claim.NeverExpiresWhereTheBoardSaysSo") {
  House house;
  house.answer("edit_board", R"({"board":"classic","claim_timeout":"0s"})");
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
  house.clock.advance(24h * 365);
  CHECK(house.error("delete_task", on(task.id)).message.find("never expires") != std::string::npos);
}

TEST_CASE("Claim.OldFutureAndMissingEpochsAreRefusedByEveryVerbOfAHolder") {
  House house("flow");
  auto const task = house.create("Task", R"("status":"todo","claim":"bob")");
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
      CHECK(house.refusal(operation,
                          on(task.id, std::string{members} + ",\"epoch\":" + std::to_string(epoch))) ==
            "STALE_CLAIM");
    CHECK(house.refusal(operation, on(task.id, members), person("eve")) == "TASK_CLAIMED");
  }
  for (auto const epoch : {task.epoch - 1, task.epoch + 1}) {
    auto const members = "\"epoch\":" + std::to_string(epoch);
    CHECK(house.refusal("heartbeat", on(task.id, members), person("bob")) == "STALE_CLAIM");
    CHECK(house.refusal("release_task", on(task.id, members), person("bob")) == "STALE_CLAIM");
  }
  CHECK(house.refusal("heartbeat", on(task.id), person("bob")) == "INVALID_INPUT");
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
    House house("flow");
    CAPTURE(operation);
    auto const task = house.create("Task", R"("status":"in-progress","claim":"bob")");
    auto const after = house.task(operation, on(task.id, members));
    CHECK(after.claimed_by.empty());
    CHECK(after.epoch > task.epoch);
  }
}

TEST_CASE("Claim.OfATaskWithAnOpenDependencyIsRefused") {
  House house;
  house.create("First", R"("status":"todo")");
  auto const task = house.create("Second", R"("status":"todo","depends_on":[1])");
  CHECK(house.refusal("claim_task", on(task.id, R"("by":"bob")")) == "DEPENDENCY_OPEN");
  CHECK(house.move(task.id, "in_progress").stage == core::Stage::active);
}

TEST_CASE("Claim.OfANewTaskIsRefusedToAWorkerOnlyWhileADependencyIsOpen") {
  House house("flow");
  house.create("First");
  house.add_worker("robot");
  CHECK(house.create("Second", R"("depends_on":[1],"claim":"bob")").claimed_by == "bob");
  auto const error = house.error("create_task", R"({"title":"Third","depends_on":[1],"claim":"robot"})");
  CHECK(error.code == core::Code::kDependencyOpen);
  CHECK(error.message == "the new task waits for #1");
}

TEST_CASE("Claim.OfANewTaskLivesInDoneButNotInTheArchive") {
  House house("flow");
  CHECK(house.create("Done", R"("status":"done","claim":"bob")").claimed_by == "bob");
  CHECK(house.create("Gone", R"("status":"archived","claim":"bob")").claimed_by.empty());
}

TEST_CASE("Start.IsRefusedWhileADependencyIsOpen") {
  House house("queue");
  auto const first = house.create("First");
  house.create("Second", R"("status":"ready")");
  auto const picked = house.task("pick_task", R"({"by":"bob"})");
  house.task("update_task", on(picked.id, R"("claim":"bob","add_deps":[)" + std::to_string(first.id) + "]"));
  CHECK(house.refusal("start_task", on(picked.id, R"("claim":"bob")")) == "DEPENDENCY_OPEN");
}

TEST_CASE("Start.NeedsTheClaim") {
  House house("queue");
  house.create("Task", R"("status":"ready")");
  CHECK(house.refusal("start_task", on(1)) == "CLAIM_REQUIRED");
  house.task("pick_task", R"({"by":"bob"})");
  CHECK(house.task("start_task", on(1, R"("claim":"bob")")).stage == core::Stage::active);
}

TEST_CASE("Worker.HoldsOneTaskOverAllBoards") {
  House house;
  house.answer("create_board", R"({"name":"other","template":"flow"})");
  house.add_worker("dev");
  house.create("First", R"("status":"todo","assignee":"dev")");
  auto const second = house.create("Second", R"("board":"other","status":"todo","assignee":"dev")");
  CHECK(house.move(1, "in_progress").claimed_by == "dev");
  auto const error = house.error("claim_task", on(second.id, R"("by":"dev")"));
  CHECK(error.code == core::Code::kWorkerBusy);
  CHECK(error.message == "Worker \"dev\" already has task #1 in progress");
  CHECK(house.refusal("move_task", on(second.id, R"("status":"in-progress","claim":"dev")")) ==
        "WORKER_BUSY");
  CHECK(house.refusal("pick_task", R"({"worker":"dev"})") == "WORKER_BUSY");
  CHECK(house.refusal("create_task", R"({"title":"x","status":"todo","claim":"dev"})") == "WORKER_BUSY");
  house.task("move_task", on(1, R"("status":"done","claim":"dev")"));
  CHECK(house.task("claim_task", on(second.id, R"("by":"dev")")).claimed_by == "dev");
}

TEST_CASE("Worker.AClaimInTheBacklogCountsWhenItsTaskComesOut") {
  House house;
  house.add_worker("dev");
  auto const idea = house.create("Idea", R"("claim":"dev")");
  auto const task = house.create("Task", R"("status":"todo","claim":"dev")");
  CHECK(house.refusal("move_task", on(idea.id, R"("status":"todo","claim":"dev")")) == "WORKER_BUSY");
  CHECK(house.refusal("update_task", on(idea.id, R"("status":"todo","claim":"dev")")) == "WORKER_BUSY");
  CHECK(house.refusal("approve_task", on(idea.id)) == "WORKER_BUSY");
  house.task("release_task", on(task.id));
  CHECK(house.task("approve_task", on(idea.id)).stage == core::Stage::ready);
}

TEST_CASE("Worker.CapacityIsWhatItSays") {
  House house;
  house.add_worker("dev", R"("capacity":2,"takes_unassigned":true)");
  for (int i = 0; i < 3; ++i) house.create("Task", R"("status":"todo")");
  house.task("pick_task", R"({"worker":"dev"})");
  house.task("pick_task", R"({"worker":"dev"})");
  CHECK(house.refusal("pick_task", R"({"worker":"dev"})") == "WORKER_BUSY");
}

TEST_CASE("Worker.SixtyFourRacersHaveOneWinner") {
  House house;
  house.add_worker("dev");
  constexpr int kRacers = 64;
  // The first is for those who pick: whoever claims what the worker holds already would renew it.
  for (int i = 0; i <= kRacers; ++i) house.create("Task", R"("status":"todo","assignee":"dev")");
  std::atomic<int> won = 0, busy = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 1; i <= kRacers; ++i)
      racers.emplace_back([&, i] {
        auto const answer = i % 3 == 0   ? house.ask("pick_task", R"({"worker":"dev"})")
                            : i % 3 == 1 ? house.ask("claim_task", on(i + 1, R"("by":"dev")"))
                                         : house.ask("move_task", on(i + 1, R"("status":"in_progress")"));
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
  House house;
  house.create("Task", R"("status":"todo")");
  std::atomic<int> won = 0, refused = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 0; i < 64; ++i)
      racers.emplace_back([&, i] {
        auto const answer = house.ask("claim_task", on(1, "\"by\":\"a" + std::to_string(i) + "\""));
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
  House strict("queue");
  strict.create("Task", R"("status":"ready")");
  strict.task("pick_task", R"({"by":"bob"})");
  strict.task("start_task", on(1, R"("claim":"bob")"));
  CHECK(strict.task("release_task", on(1)).stage == core::Stage::ready);
  House open("flow");
  open.create("Task", R"("status":"in-progress","claim":"bob")");
  CHECK(open.task("release_task", on(1)).status == "in-progress");
}

TEST_CASE("Claim.OfALiveRunIsGivenToNobodyBeforeItsProcessesAreGone") {
  House house{"classic"};
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Task", R"("status":"todo")");
  auto const run = house.start("dev");
  house.clock.advance(1h);
  CHECK(house.refusal("claim_task", on(1, R"("by":"ann")")) == "TASK_CLAIMED");
  CHECK(house.refusal("dispatch_next", R"({"worker":"dev","runner":"local"})") == "WORKER_BUSY");
  house.run("finish_run", on(run.id, R"("stopped_because":"lost")"));
  CHECK(house.task("claim_task", on(1, R"("by":"ann")")).claimed_by == "ann");
}

TEST_CASE("Claim.OfUnapprovedWorkIsRefusedWhereTheMachineIsStrict") {
  House house("queue");
  house.create("Task");
  for (auto const* request : {R"("by":"bob")", R"("by":"bob","force":true)"}) {
    auto const refused = house.error("claim_task", on(1, request));
    CHECK(refused.code == core::Code::kIllegalTransition);
    CHECK(refused.message.contains("possible now: approve"));
  }
  house.task("approve_task", on(1));
  CHECK(house.task("claim_task", on(1, R"("by":"bob")")).claimed_by == "bob");
}

TEST_CASE("Claim.OfUnapprovedWorkIsNotForWorkers") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true)");
  house.create("Task");
  auto caller = test::ann();
  caller.actor = {core::ActorKind::worker, "dev"};
  CHECK(house.refusal("claim_task", on(1, R"("by":"dev")"), caller) == "APPROVAL_REQUIRED");
  CHECK(house.task("claim_task", on(1, R"("by":"bob")")).claimed_by == "bob");
}
