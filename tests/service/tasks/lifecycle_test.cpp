#include <algorithm>

#include <doctest/doctest.h>

#include "core/tasks/verbs.hpp"
#include "core/text/names.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::agent;
using test::call_of;
using test::TestApp;

namespace {

constexpr std::array kStages{Stage::backlog, Stage::ready,  Stage::claimed, Stage::active,  Stage::review,
                             Stage::blocked, Stage::failed, Stage::done,    Stage::archived};

/// A strict board with a column for every stage, named like it.
struct StrictTestApp : TestApp {
  StrictTestApp() : TestApp("classic") {
    std::vector<core::Column> columns;
    for (auto const stage : kStages)
      columns.push_back({.name = std::string{core::to_text(stage)}, .stage = stage});
    call<&service::edit_board>(
        {{.workflow = core::Workflow::open, .columns = columns, .default_status = "backlog"}, "classic"});
  }
  /// A task that a person of an open board has put there, before the board became strict.
  core::Task task_in(Stage stage) {
    std::string const name{core::to_text(stage)};
    auto const task = create("Task", {.status = name, .review = core::ReviewRule::none});
    call<&service::edit_board>({{.workflow = core::Workflow::strict}, "classic"});
    return task;
  }
};

bool is_allowed(Stage from, Stage to) {
  // Blocked work goes back only to where it was, and a task made in the blocked column was nowhere else.
  if (from == Stage::blocked && (to == Stage::active || to == Stage::review)) return false;
  return from == to || core::is_legal(from, to);
}

void check_refusal(core::Error const& error, Stage from) {
  CHECK(error.code == core::Code::kIllegalTransition);
  CHECK(error.field == "status");
  for (auto const target : kStages) {
    if (target == from || !is_allowed(from, target)) continue;
    CHECK_MESSAGE(error.message.find(core::to_text(target)) != std::string::npos, error.message);
  }
}

}  // namespace

TEST_CASE("Lifecycle.APersonMovesAsTheTableSaysAndHearsTheLegalTargets") {
  for (auto const from : kStages)
    for (auto const to : kStages) {
      StrictTestApp app;
      auto const task = app.task_in(from);
      std::string const status{core::to_text(to)};
      CAPTURE(core::to_text(from));
      CAPTURE(core::to_text(to));
      service::MoveTaskRequest const move{.id = task.id, .status = status};
      if (is_allowed(from, to)) {
        CHECK(app.call<&service::move_task>(move).stage == to);
      } else {
        check_refusal(app.error<&service::move_task>(move), from);
        check_refusal(app.error<&service::edit_task>(
                          {.id = task.id, .status = status, .tags = std::vector<std::string>{"x"}}),
                      from);
      }
    }
}

TEST_CASE("Lifecycle.AnAgentKeepsToTheTableOnItsOwnTask") {
  for (auto const to : kStages) {
    StrictTestApp app;
    auto const task = app.task_in(Stage::ready);
    app.add_worker("dev", {.takes_unassigned = true});
    auto const run = app.start("dev");
    REQUIRE(app.get(task.id).stage == Stage::active);
    CAPTURE(core::to_text(to));
    service::MoveTaskRequest const move{.id = task.id, .status = std::string{core::to_text(to)}};
    // What ends its work is a report.
    bool const is_report =
        to == Stage::review || to == Stage::done || to == Stage::blocked || to == Stage::failed;
    if (is_allowed(Stage::active, to))
      CHECK(app.call<&service::move_task>(move, agent(run)).stage == (is_report ? Stage::active : to));
    else
      CHECK(app.error<&service::move_task>(move, agent(run)).code == core::Code::kIllegalTransition);
  }
}

TEST_CASE("Lifecycle.EveryVerbOfAStrictBoardLeadsAlongTheTable") {
  for (auto const from : kStages)
    for (auto const& act :
         {call_of<&service::approve_task>({.id = 1}), call_of<&service::claim_task>({.id = 1, .by = "bob"}),
          call_of<&service::start_task>({.id = 1, .claim = "bob"}), call_of<&service::submit_task>({.id = 1}),
          call_of<&service::complete_task>({.id = 1}), call_of<&service::fail_task>({.id = 1, .reason = "x"}),
          call_of<&service::block_task>({.id = 1, .reason = "x"}), call_of<&service::unblock_task>({.id = 1}),
          call_of<&service::accept_task>({.id = 1}), call_of<&service::reject_task>({.id = 1, .reason = "x"}),
          call_of<&service::retry_task>({.id = 1}), call_of<&service::release_task>({.id = 1}),
          call_of<&service::kill_task>({.id = 1}), call_of<&service::archive_task>({.id = 1}),
          call_of<&service::delete_task>({.id = 1}), call_of<&service::handoff_task>({.id = 1})}) {
      StrictTestApp app;
      auto const task = app.task_in(from);
      CAPTURE(core::to_text(from));
      CAPTURE(act.operation);
      REQUIRE(task.id == 1);
      if (!app.ask(act)) continue;
      auto const to = app.get(task.id).stage;
      CAPTURE(core::to_text(to));
      CHECK((from == to || core::is_legal(from, to)));
    }
}

TEST_CASE("Lifecycle.WhatTheEngineDoesByItselfIsInTheTable") {
  using Ending = service::FinishRunRequest;
  for (auto const& ending :
       {Ending{.result = "made it"}, Ending{.exit = {.code = 0}}, Ending{.exit = {.code = 2}},
        Ending{.stopped_because = core::StopReason::stale}, Ending{.stopped_because = core::StopReason::lost},
        Ending{.stopped_because = core::StopReason::rate_limited},
        Ending{.stopped_because = core::StopReason::over_budget},
        Ending{.stopped_because = core::StopReason::killed},
        Ending{.stopped_because = core::StopReason::withdrawn}}) {
    StrictTestApp app;
    auto const task = app.task_in(Stage::ready);
    app.add_worker("dev", {.takes_unassigned = true});
    auto const seq = app.last_seq();
    app.finish(app.start("dev"), ending);
    for (auto const& event : app.events(seq)) {
      if (event.from.empty()) continue;
      CAPTURE(event.from);
      CAPTURE(event.to);
      CHECK(core::is_legal(*core::parse_stage(event.from), *core::parse_stage(event.to)));
    }
  }
}

TEST_CASE("Names.AreTheSameInEverySpelling") {
  TestApp app("queue");
  auto const task = app.create(
      "Task", {.status = "READY", .priority = service::PriorityName{"p0"}, .class_ = "Fixed Date"});
  CHECK(task.status == "ready");
  CHECK(task.priority == "P0");
  CHECK(task.class_ == "fixed-date");
  using Filter = service::ListTasksRequest;
  for (auto filter : {Filter{.status = {"Ready"}}, Filter{.priority = {"p0"}}, Filter{.priority = {"1"}},
                      Filter{.class_ = "fixed_date"}})
    for (auto const* board : {"", "queue"}) {
      filter.board = board;
      auto const found = app.call<&service::list_tasks>(filter).items;
      REQUIRE_MESSAGE(found.size() == 1, reflect::to_json(filter));
      CHECK(found.front().id == 1);
    }
  auto const picked = app.call<&service::pick_task>(
      {.by = "bob", .status = {"Ready"}, .move = "In Progress", .class_ = "FIXED DATE"});
  CHECK(picked.status == "in_progress");
  CHECK(app.call<&service::move_task>({.id = task.id, .status = "Needs-Review", .claim = "bob"}).status ==
        "needs_review");
}

TEST_CASE("Archived.ExistsOnEveryBoard") {
  TestApp app;
  auto const task = app.create("Task", {.status = "todo"});
  auto const gone = app.move(task.id, "Archived");
  CHECK(gone.stage == Stage::archived);
  CHECK(gone.status == "archived");
  CHECK_FALSE(gone.completed);
  CHECK(app.answer<&service::list_tasks>({.board = "classic"}).find("\"id\":1") == std::string::npos);
  CHECK(app.move(task.id, "backlog").stage == Stage::backlog);
  auto const finished = app.move(app.create("Done", {.status = "todo"}).id, "done");
  auto const archived = app.call<&service::archive_task>({.id = finished.id});
  CHECK(archived.completed == finished.completed);
  CHECK_FALSE(app.call<&service::archive_task>({.id = app.create("Idea").id}).completed);
}

TEST_CASE("Lifecycle.ARefusalNamesTheColumnsOfTheBoard") {
  TestApp app("queue");
  auto const task = app.create("Task");
  auto const error = app.error<&service::move_task>({.id = task.id, .status = "in_progress"});
  CHECK(
      error.message ==
      "cannot go from pending (backlog) to in_progress (active); from here a task can go to: ready, blocked, "
      "archived");
  app.call<&service::approve_task>({.id = task.id});
  app.call<&service::claim_task>({.id = task.id, .by = "bob"});
  CHECK(app.error<&service::move_task>({.id = task.id, .status = "completed", .claim = "bob"})
            .message.ends_with("pending (backlog), ready, in_progress (active), blocked, failed"));
  REQUIRE(error.current);
  CHECK(error.current->id == task.id);
}
