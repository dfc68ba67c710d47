#include "core/runs/conversation.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace andon::core;

namespace {

constexpr SessionKey kOfTask{Conversation::task, "dev", "shop", 7};
constexpr SessionKey kOfWorker{Conversation::worker, "dev", "shop", 7};

Run a_run(RunId id, std::string session, Outcome outcome = Outcome::succeeded) {
  Run run;
  run.id = id;
  run.task = 7;
  run.board = "shop";
  run.worker = "dev";
  run.state = RunState::ended;
  run.outcome = outcome;
  run.exit = Exit{0, {}};
  run.session = std::move(session);
  return run;
}

/// The run that is continued, or 0.
RunId continued(std::vector<Run> const& runs, SessionKey const& talk = kOfTask) {
  auto const* run = to_continue(runs, talk);
  return run ? run->id : RunId{};
}

}  // namespace

TEST_CASE("Conversation.GoesOnWithTheLastRunOfTheWorkerOnTheTask") {
  auto other_task = a_run(3, "c");
  other_task.task = 8;
  auto other_worker = a_run(4, "d");
  other_worker.worker = "qa";
  std::vector const runs{a_run(1, "a"), a_run(2, "b", Outcome::failed), other_task, other_worker};
  CHECK(continued(runs) == 2);
  CHECK(continued(runs, kOfWorker) == 3);
  CHECK(continued(runs, {Conversation::fresh, "dev", "shop", 7}) == 0);
  CHECK(continued(runs, {Conversation::worker, "dev", "other", 7}) == 0);
}

TEST_CASE("Conversation.OneThatCouldNotBeContinuedIsGivenUp") {
  CHECK(continued({a_run(1, "a", Outcome::failed), a_run(2, "", Outcome::failed)}) == 0);
  CHECK(continued({a_run(1, "a", Outcome::failed), a_run(2, "a", Outcome::failed)}) == 0);
  CHECK(continued({a_run(1, "a"), a_run(2, "a")}) == 2);
  CHECK(continued({a_run(1, "a"), a_run(2, ""), a_run(3, "b", Outcome::failed)}) == 3);
}

TEST_CASE("Conversation.OneThatLeftWorkOpenGoesOnOnce") {
  auto open = a_run(2, "a", Outcome::failed);
  open.unfinished = 1;
  CHECK(continued({a_run(1, "a"), open}) == 2);
  auto again = a_run(3, "a", Outcome::failed);
  again.unfinished = 2;
  CHECK(continued({a_run(1, "a"), open, again}) == 0);
}

TEST_CASE("Conversation.ARunThatNeverBeganDoesNotCount") {
  auto unfit = a_run(2, "");
  unfit.exit.reset();
  auto lost = a_run(3, "");
  lost.exit = Exit{};
  CHECK(continued({a_run(1, "a"), unfit, lost}) == 1);
}

TEST_CASE("Conversation.OneThatSomebodyIsInIsLeftAlone") {
  auto live = a_run(2, "");
  live.task = 8;
  live.state = RunState::running;
  live.pid = 4711;
  std::vector const runs{a_run(1, "a"), live};
  CHECK(continued(runs, kOfWorker) == 0);
  CHECK(continued(runs, kOfTask) == 1);
}

TEST_CASE("Conversation.WhatItsRunsUsedIsAddedUp") {
  std::vector runs{a_run(1, "a"), a_run(2, "a"), a_run(3, "b"), a_run(4, "a")};
  runs[0].usage = Usage{.input = 280, .output = 42};
  runs[1].usage = Usage{.input = 140, .output = 21, .cost_usd = 0.5};
  runs[2].usage = Usage{.input = 1'000};
  auto const used = used_in(runs, kOfTask, "a");
  CHECK(used.input == 420);
  CHECK(used.output == 63);
  CHECK(used.cost_usd == 0.5);
}
