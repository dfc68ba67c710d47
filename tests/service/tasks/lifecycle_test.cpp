#include <algorithm>

#include <doctest/doctest.h>

#include "core/tasks/verbs.hpp"
#include "core/text/names.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::Stage;
using test::agent;
using test::on;
using test::TestApp;

namespace {

constexpr std::array kStages{Stage::backlog, Stage::ready,  Stage::claimed, Stage::active,  Stage::review,
                             Stage::blocked, Stage::failed, Stage::done,    Stage::archived};

/// A strict board with a column for every stage, named like it.
struct StrictTestApp : TestApp {
  StrictTestApp() : TestApp("classic") {
    std::string columns;
    for (auto const stage : kStages) {
      std::string const name{core::to_text(stage)};
      columns += (columns.empty() ? "" : ",");
      columns += R"({"name":")" + name + R"(","stage":")" + name + "\"}";
    }
    answer("edit_board", R"({"board":"classic","columns":[)" + columns +
                             R"(],"move_tasks":{},"default_status":"backlog","workflow":"open"})");
  }
  /// A task that a person of an open board has put there, before the board became strict.
  core::Task task_in(Stage stage) {
    std::string const name{core::to_text(stage)};
    auto const task = create("Task", "\"status\":\"" + name + "\",\"review\":\"none\"");
    answer("edit_board", R"({"board":"classic","workflow":"strict"})");
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
      auto const members = "\"status\":\"" + std::string{core::to_text(to)} + "\"";
      CAPTURE(core::to_text(from));
      CAPTURE(core::to_text(to));
      for (auto const* operation : {"move_task", "update_task"}) {
        auto const request =
            on(task.id, members + (operation == std::string_view{"update_task"} ? R"(,"tags":["x"])" : ""));
        if (is_allowed(from, to)) {
          if (operation == std::string_view{"move_task"}) CHECK(app.task(operation, request).stage == to);
        } else {
          check_refusal(app.error(operation, request), from);
        }
      }
    }
}

TEST_CASE("Lifecycle.AnAgentKeepsToTheTableOnItsOwnTask") {
  for (auto const to : kStages) {
    StrictTestApp app;
    auto const task = app.task_in(Stage::ready);
    app.add_worker("dev", R"("takes_unassigned":true)");
    auto const run = app.start("dev");
    REQUIRE(app.get(task.id).stage == Stage::active);
    CAPTURE(core::to_text(to));
    auto const request = on(task.id, "\"status\":\"" + std::string{core::to_text(to)} + "\"");
    // What ends its work is a report.
    bool const is_report =
        to == Stage::review || to == Stage::done || to == Stage::blocked || to == Stage::failed;
    if (is_allowed(Stage::active, to))
      CHECK(app.task("move_task", request, agent(run)).stage == (is_report ? Stage::active : to));
    else
      CHECK(app.error("move_task", request, agent(run)).code == core::Code::kIllegalTransition);
  }
}

TEST_CASE("Lifecycle.EveryVerbOfAStrictBoardLeadsAlongTheTable") {
  struct Verb {
    std::string_view operation, members;
  };
  for (auto const from : kStages)
    for (auto const& [operation, members] :
         {Verb{"approve_task", ""}, Verb{"claim_task", R"("by":"bob")"},
          Verb{"start_task", R"("claim":"bob")"}, Verb{"submit_task", ""}, Verb{"complete_task", ""},
          Verb{"fail_task", R"("reason":"x")"}, Verb{"block_task", R"("reason":"x")"},
          Verb{"unblock_task", ""}, Verb{"accept_task", ""}, Verb{"reject_task", R"("reason":"x")"},
          Verb{"retry_task", ""}, Verb{"release_task", ""}, Verb{"kill_task", ""}, Verb{"archive_task", ""},
          Verb{"delete_task", ""}, Verb{"handoff_task", ""}}) {
      StrictTestApp app;
      auto const task = app.task_in(from);
      CAPTURE(core::to_text(from));
      CAPTURE(operation);
      if (!app.ask(operation, on(task.id, members))) continue;
      auto const to = app.get(task.id).stage;
      CAPTURE(core::to_text(to));
      CHECK((from == to || core::is_legal(from, to)));
    }
}

TEST_CASE("Lifecycle.WhatTheEngineDoesByItselfIsInTheTable") {
  for (auto const* ending : {R"("result":"made it")", R"("exit":{"code":0})", R"("exit":{"code":2})",
                             R"("stopped_because":"stale")", R"("stopped_because":"lost")",
                             R"("stopped_because":"rate_limited")", R"("stopped_because":"over_budget")",
                             R"("stopped_because":"killed")", R"("stopped_because":"withdrawn")"}) {
    StrictTestApp app;
    auto const task = app.task_in(Stage::ready);
    app.add_worker("dev", R"("takes_unassigned":true)");
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
  auto const task = app.create("Task", R"("status":"READY","priority":"p0","class":"Fixed Date")");
  CHECK(task.status == "ready");
  CHECK(task.priority == "P0");
  CHECK(task.class_ == "fixed-date");
  for (auto const* filter :
       {R"("status":["Ready"])", R"("priority":["p0"])", R"("priority":["1"])", R"("class":"fixed_date")"})
    for (auto const* scope : {"", R"("board":"queue",)"}) {
      auto const found = app.answer("list_tasks", "{" + std::string{scope} + filter + "}");
      CHECK_MESSAGE(found.find("\"id\":1") != std::string::npos, filter);
    }
  auto const picked =
      app.task("pick_task", R"({"by":"bob","status":["Ready"],"move":"In Progress","class":"FIXED DATE"})");
  CHECK(picked.status == "in_progress");
  CHECK(app.task("move_task", on(task.id, R"("status":"Needs-Review","claim":"bob")")).status ==
        "needs_review");
}

TEST_CASE("Archived.ExistsOnEveryBoard") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  auto const gone = app.move(task.id, "Archived");
  CHECK(gone.stage == Stage::archived);
  CHECK(gone.status == "archived");
  CHECK_FALSE(gone.completed);
  CHECK(app.answer("list_tasks", R"({"board":"classic"})").find("\"id\":1") == std::string::npos);
  CHECK(app.move(task.id, "backlog").stage == Stage::backlog);
  auto const finished = app.move(app.create("Done", R"("status":"todo")").id, "done");
  auto const archived = app.task("archive_task", on(finished.id));
  CHECK(archived.completed == finished.completed);
  CHECK_FALSE(app.task("archive_task", on(app.create("Idea").id)).completed);
}

TEST_CASE("Lifecycle.ARefusalNamesTheColumnsOfTheBoard") {
  TestApp app("queue");
  auto const task = app.create("Task");
  auto const error = app.error("move_task", on(task.id, R"("status":"in_progress")"));
  CHECK(
      error.message ==
      "cannot go from pending (backlog) to in_progress (active); from here a task can go to: ready, blocked, "
      "archived");
  app.task("approve_task", on(task.id));
  app.task("claim_task", on(task.id, R"("by":"bob")"));
  CHECK(app.error("move_task", on(task.id, R"("status":"completed","claim":"bob")"))
            .message.ends_with("pending (backlog), ready, in_progress (active), blocked, failed"));
  REQUIRE(error.current);
  CHECK(error.current->id == task.id);
}
