#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::AnyCall;
using test::call_of;
using test::person;
using test::TestApp;

namespace {

/// An administrator who acts in the name of a worker.
service::Caller worker(std::string name) {
  auto caller = person(name);
  caller.actor = {core::ActorKind::worker, std::move(name)};
  return caller;
}

}  // namespace

TEST_CASE("Approval.TrustedWorkersPlaceOnlyTheirOwnNewTasks") {
  TestApp app("queue");
  app.add_worker("plan", {.role = "planner", .takes_unassigned = true});
  app.add_worker("dev", {.role = "coder"});
  app.create("Plan", {.status = "ready"});
  app.create("Code", {.status = "ready", .role = "coder"});
  auto const idea = app.create("Idea");
  auto const planner = app.start("plan"), coder = app.start("dev");
  auto const placed = app.create("New", {.status = "ready"}, agent(planner));
  CHECK(placed.stage == Stage::ready);
  CHECK(placed.approved);
  CHECK(app.create("Later", {.status = "ready", .depends_on = {3}}, agent(planner)).stage == Stage::backlog);
  CHECK(app.refusal<&service::create_task>({.title = "x", .status = "in_progress"}, agent(planner)) ==
        "APPROVAL_REQUIRED");
  auto const refused = app.error<&service::create_task>({.title = "x", .status = "ready"}, agent(coder));
  CHECK(refused.code == core::Code::kApprovalRequired);
  CHECK(refused.field == "status");
  CHECK(app.create("Another", {}, agent(coder)).stage == Stage::backlog);
  for (auto const& run : {planner, coder}) {
    CHECK(app.refusal<&service::approve_task>({.id = idea.id}, agent(run)) == "FORBIDDEN");
    CHECK(app.refusal<&service::move_task>({.id = idea.id, .status = "ready"}, agent(run)) ==
          "APPROVAL_REQUIRED");
    CHECK(app.refusal<&service::move_task>({.id = idea.id, .status = "pending"}, agent(run)) == "FORBIDDEN");
  }
}

TEST_CASE("Approval.IsForTheTextAPersonSawAndAWorkersEditVoidsIt") {
  TestApp app("queue");
  app.add_worker("plan", {.role = "planner"});
  auto const task = app.create("Task", {.status = "ready"});
  CHECK(app.call<&service::edit_task>({.id = task.id, .tags = std::vector<std::string>{"x"}}, worker("dev"))
            .stage == Stage::ready);
  auto const edited = app.call<&service::edit_task>({.id = task.id, .body = "Other"}, worker("dev"));
  CHECK(edited.stage == Stage::backlog);
  CHECK_FALSE(edited.approved);
  for (auto const* name : {"dev", "plan"}) {
    CHECK(app.refusal<&service::approve_task>({.id = task.id}, worker(name)) == "APPROVAL_REQUIRED");
    CHECK(app.refusal<&service::move_task>({.id = task.id, .status = "ready"}, worker(name)) ==
          "APPROVAL_REQUIRED");
  }
  CHECK(app.refusal<&service::create_task>({.title = "x", .status = "ready"}, worker("dev")) ==
        "APPROVAL_REQUIRED");
  CHECK(app.create("New", {.status = "ready"}, worker("plan")).stage == Stage::ready);
  CHECK(app.call<&service::edit_task>({.id = task.id, .status = "ready"}).approved);
}

TEST_CASE("Approval.IsNotGotAroundByAnotherAct") {
  struct Way {
    std::string_view board;
    std::optional<AnyCall> first;
    AnyCall then;
  };
  auto const block = call_of<&service::block_task>({.id = 1, .reason = "no key"});
  auto const move = call_of<&service::move_task>({.id = 1, .status = "todo"});
  for (auto const& way :
       {Way{"classic", {}, call_of<&service::fail_task>({.id = 1, .reason = "no"})},
        Way{"classic", {}, call_of<&service::complete_task>({.id = 1})},
        Way{"flow", {}, call_of<&service::handoff_task>({.id = 1, .note = "look"})},
        Way{"flow", {}, call_of<&service::submit_task>({.id = 1})}, Way{"classic", block, move},
        Way{"classic", block, call_of<&service::edit_task>({.id = 1, .status = "todo"})},
        Way{"flow", block, call_of<&service::retry_task>({.id = 1})},
        Way{"classic", call_of<&service::archive_task>({.id = 1}), move}}) {
    CAPTURE(way.then.operation);
    TestApp app{way.board};
    app.create("Idea");
    auto const dev = worker("dev");
    if (way.first) app.answer(*way.first, dev);
    CHECK(app.refusal(way.then, dev) == "APPROVAL_REQUIRED");
    app.answer(way.then);
  }
  TestApp app;
  auto const made = app.create("Idea", {.status = "blocked"}, worker("dev"));
  CHECK(app.refusal<&service::unblock_task>({.id = made.id}, worker("dev")) == "APPROVAL_REQUIRED");
  CHECK(app.refusal<&service::edit_task>({.id = made.id, .unblock = true}, worker("dev")) ==
        "APPROVAL_REQUIRED");
}

TEST_CASE("Approval.GivenBeforeATaskWasBlockedHoldsAfterwards") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  app.call<&service::block_task>({.id = task.id, .reason = "no key"}, worker("dev"));
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "todo"}, worker("dev")).stage ==
        Stage::ready);
}

TEST_CASE("Approval.OfATaskIsNotForWhatItsAgentLetsFollow") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo", .next_tasks = {{.title = "Review"}}});
  auto const run = app.start("dev");
  auto const refused = app.error<&service::edit_task>(
      {.id = 1, .next_tasks = std::vector<core::NextTask>{{.title = "Deploy"}}}, agent(run));
  CHECK(refused.code == core::Code::kForbidden);
  CHECK(refused.field == "next_tasks");
  CHECK(refused.message == "a run may not change what follows its own task");
}

TEST_CASE("Approval.ABriefThatComesLaterLetsTheTaskOut") {
  TestApp app("queue");
  app.call<&service::edit_board>({{.require_brief = true}, "queue"});
  auto const task = app.create("Task");
  CHECK(app.call<&service::approve_task>({.id = task.id}).stage == Stage::backlog);
  CHECK(app.call<&service::edit_task>({.id = task.id, .body = "How"}).stage == Stage::ready);
}

TEST_CASE("Claim.ByForceStopsTheAgentFirst") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  CHECK(app.refusal<&service::claim_task>({.id = 1, .by = "bob"}) == "TASK_CLAIMED");
  auto const answered = app.call<&service::claim_task>({.id = 1, .by = "bob", .force = true});
  CHECK(answered.claimed_by == "dev");
  CHECK(app.call<&service::get_run>({.id = run.id}).state == core::RunState::stopping);
  CHECK(app.refusal<&service::complete_task>({.id = 1}, agent(run)) == "STALE_CLAIM");
  CHECK(app.finish(run).outcome == core::Outcome::killed);
  auto const task = app.get(1);
  CHECK(task.claimed_by == "bob");
  CHECK(task.epoch > run.epoch);
  CHECK(task.stage == Stage::ready);
  CHECK_FALSE(app.stored(1).state.supervised);
}

TEST_CASE("Claim.APersonsWordOnSupervisedWorkCountsWhenItsAgentIsGone") {
  struct Row {
    AnyCall act;
    Stage stage;
  };
  for (auto const& row :
       {Row{call_of<&service::complete_task>({.id = 1, .result = "by hand", .force = true}), Stage::review},
        Row{call_of<&service::submit_task>({.id = 1, .force = true}), Stage::review},
        Row{call_of<&service::fail_task>({.id = 1, .reason = "no", .force = true}), Stage::ready},
        Row{call_of<&service::handoff_task>({.id = 1, .note = "see", .force = true}), Stage::review}}) {
    TestApp app("queue");
    app.add_worker("dev", {.takes_unassigned = true});
    app.create("Task", {.status = "ready"});
    auto const run = app.start("dev");
    CAPTURE(row.act.operation);
    app.answer(row.act);
    CHECK(app.get(1).stage == Stage::active);
    CHECK(app.call<&service::get_run>({.id = run.id}).state == core::RunState::stopping);
    app.finish(run);
    CHECK(app.get(1).stage == row.stage);
    CHECK(app.get(1).claimed_by.empty());
  }
}

TEST_CASE("Claim.WhoseTimeIsOverIsSeenNowhere") {
  TestApp app;
  auto const held = app.create("Task", {.status = "todo", .claim = "bob"});
  CHECK(app.answer<&service::list_tasks>({.claimed_by = "bob"}).find("\"id\":1") != std::string::npos);
  app.clock.advance(1h);
  CHECK(app.get(1).claimed_by.empty());
  CHECK_FALSE(app.get(1).claim_expires);
  CHECK(app.answer<&service::list_tasks>({.claimed_by = "bob"}).find("\"id\":1") == std::string::npos);
  CHECK(app.answer<&service::list_tasks>({.unclaimed = true}).find("\"id\":1") != std::string::npos);
  CHECK(app.snapshot().tasks.front().claimed_by.empty());
  auto const edited = app.call<&service::edit_task>({.id = 1, .title = "Other"});
  CHECK(edited.claimed_by.empty());
  CHECK(edited.epoch == held.epoch);
}

TEST_CASE("Claim.NamesAreOneShortLine") {
  TestApp app("flow");
  app.create("Task", {.status = "todo"});
  for (auto const* name : {" ", "a\nb", "\x1b[2J", "\u202e"}) {
    CHECK(app.refusal<&service::claim_task>({.id = 1, .by = std::string{name}}) == "INVALID_INPUT");
    CHECK(app.refusal<&service::move_task>({.id = 1, .status = "in-progress", .claim = std::string{name}}) ==
          "INVALID_INPUT");
  }
}

TEST_CASE("Move.ChecksStandInTheirOrder") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.workflow = core::Workflow::strict,
        .columns =
            std::vector<core::Column>{
                {.name = "backlog", .stage = core::Stage::backlog},
                {.name = "todo"},
                {.name = "in_progress", .stage = core::Stage::active, .wip_limit = 1, .require_claim = true},
                {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  app.call<&service::edit_board>({{.workflow = core::Workflow::open}, "classic"});
  app.add_worker("dev");
  app.create("Fills", {.status = "in_progress"});
  app.call<&service::claim_task>(
      {.id = app.create("Held", {.status = "todo", .assignee = "dev"}).id, .by = "dev"});
  auto const task = app.create("Task", {.status = "todo", .depends_on = {1}});
  auto const start = [&](std::string const& claim) {
    return app.refusal<&service::move_task>({.id = task.id, .status = "in_progress", .claim = claim});
  };
  CHECK(app.refusal<&service::move_task>({.id = 99, .status = "nowhere"}) == "INVALID_STATUS");
  CHECK(app.refusal<&service::move_task>({.id = 99, .status = "todo"}) == "TASK_NOT_FOUND");
  CHECK(start("") == "CLAIM_REQUIRED");
  CHECK(start("dev") == "DEPENDENCY_OPEN");
  app.move(1, "done");
  app.create("Fills", {.status = "in_progress"});
  CHECK(start("dev") == "WIP_LIMIT_EXCEEDED");
  app.call<&service::edit_board>(
      test::board_edit("classic", [](auto& edit) { edit.wip_limits = {{"in_progress", 9}}; }));
  CHECK(start("dev") == "WORKER_BUSY");
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "in_progress", .claim = "bob"}).claimed_by ==
        "bob");
}

TEST_CASE("Text.OfNotesAndReasonsHoldsNoControlCharacters") {
  TestApp app("queue");
  app.create("Task", {.status = "ready"});
  app.call<&service::claim_task>({.id = 1, .by = "ann"});
  for (auto const& bad :
       {std::string{"a\0b", 3}, std::string{"\x1b[31mred"}, std::string{"bell\a"}, std::string{"\u0085"}}) {
    for (auto const& [act, field] : {std::pair{call_of<&service::note_task>({.id = 1, .text = bad}), "text"},
                                     {call_of<&service::block_task>({.id = 1, .reason = bad}), "reason"},
                                     {call_of<&service::fail_task>({.id = 1, .reason = bad}), "reason"},
                                     {call_of<&service::reject_task>({.id = 1, .reason = bad}), "reason"}}) {
      auto const error = app.error(act);
      CHECK(error.code == core::Code::kInvalidInput);
      CHECK(error.field == field);
    }
  }
  app.call<&service::note_task>({.id = 1, .text = "two\n\tlines 👩\u200d💻"});
}

TEST_CASE("Revision.ThatIsNotTheExpectedOneRefusesEveryChange") {
  for (auto const& act : {call_of<&service::edit_task>({.id = 1, .title = "x"}),
                          call_of<&service::note_task>({.id = 1, .text = "x"}),
                          call_of<&service::edit_worker>({.name = "dev", .title = "x"}),
                          call_of<&service::edit_board>({{.title = "x"}, "classic"})}) {
    TestApp app;
    app.add_worker("dev");
    app.create("Task");
    auto const ask = [&](core::Revision rev) {
      auto call = act.by(test::ann());
      call.expected_rev = rev;
      return app.executor.run(std::move(call));
    };
    CAPTURE(act.operation);
    auto const before = app.digest();
    auto const refused = ask(77);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == core::Code::kRevMismatch);
    CHECK(app.digest() == before);
    CHECK(ask(1).has_value());
  }
}

TEST_CASE("Approval.WorkInReviewIsAcceptedNotApproved") {
  TestApp app("queue");
  app.add_worker("dev", {.role = "coder"});
  app.create("Cart", {.status = "ready", .role = "coder"});
  app.finish(app.start("dev"));
  REQUIRE(app.get(1).stage == Stage::review);
  auto const error = app.error<&service::approve_task>({.id = 1});
  CHECK(error.code == core::Code::kIllegalTransition);
  CHECK(error.message.contains("accept or reject it"));
}
