#include "service/insight/why.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;

namespace {

service::DispatchBlockers why(TestApp& app, core::TaskId id) {
  return app.call<&service::why_not_running>({.id = id});
}

std::string codes(TestApp& app, core::TaskId id) {
  std::string out;
  auto const answer = why(app, id);
  for (auto const& blocker : answer.hindrances) out += (out.empty() ? "" : " ") + blocker.code;
  return out;
}

}  // namespace

TEST_CASE("Why.NamesTheReasonsOfTheTask") {
  TestApp app;
  app.executor.write([](service::OperationContext& u) {
    service::set_runner(u, true);
    return true;
  });
  app.add_worker("developer", {.takes_unassigned = true});
  app.create("First");
  CHECK(codes(app, 1) == "stage");
  auto const second = app.create("Second", {.status = "todo", .depends_on = {1}});
  CHECK(codes(app, second.id) == "dependency");
  CHECK(why(app, second.id).hindrances.front().text == "it waits for #1");
  auto const third = app.create("Third", {.status = "todo", .claim = "bob"});
  CHECK(codes(app, third.id) == "claimed");
  auto const fourth = app.create("Fourth", {.status = "todo", .role = "poet"});
  CHECK(codes(app, fourth.id) == "worker");
}

TEST_CASE("Why.SaysWhoseTurnItIs") {
  TestApp app;
  app.executor.write([](service::OperationContext& u) {
    service::set_runner(u, true);
    return true;
  });
  app.add_worker("developer", {.takes_unassigned = true});
  auto const first = app.create("First", {.status = "todo"});
  auto const second = app.create("Second", {.status = "todo"});
  CHECK(why(app, first.id).hindrances.empty());
  CHECK(why(app, first.id).worker == "developer");
  CHECK(codes(app, second.id) == "turn");
  app.start("developer");
  CHECK(why(app, first.id).running);
  CHECK(codes(app, second.id) == "worker");
}

TEST_CASE("Why.NamesWhatHoldsTheBoardAndItsWorkers") {
  TestApp app;
  app.add_worker("developer", {.takes_unassigned = true});
  auto const task = app.create("Task", {.status = "todo"});
  CHECK(codes(app, task.id) == "runner");
  app.call<&service::set_dispatch>({.paused = true});
  app.call<&service::pause_worker>({.name = "developer"});
  CHECK(codes(app, task.id) == "paused runner worker");
}

TEST_CASE("Why.NamesTheLimitOfTheWholeServer") {
  TestApp app;
  app.add_worker("developer", {.takes_unassigned = true});
  app.add_worker("tester", {.takes_unassigned = true});
  app.create("First", {.status = "todo"});
  auto const second = app.create("Second", {.status = "todo"});
  CHECK(app.refusal<&service::limit_dispatch>({.slots = -1}) == "INVALID_INPUT");
  app.call<&service::limit_dispatch>({.slots = 1});
  app.start("developer");
  CHECK(app.refusal<&service::dispatch_next>({.worker = "tester"}) == "NOTHING_TO_PICK");
  CHECK(codes(app, second.id) == "slots");
  CHECK(why(app, second.id).hindrances.front().text == "this server already has 1 of 1 runs");
  app.call<&service::limit_dispatch>({.slots = 0});
  CHECK(app.ask<&service::dispatch_next>({.worker = "tester"}).has_value());
}

TEST_CASE("Why.NamesTheLimitInTheWay") {
  TestApp app;
  app.executor.write([](service::OperationContext& u) {
    service::set_runner(u, true);
    return true;
  });
  app.call<&service::edit_board>(
      {{.columns =
            std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                      {.name = "todo"},
                                      {.name = "in_progress", .stage = core::Stage::active, .wip_limit = 1},
                                      {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  app.add_worker("developer", {.takes_unassigned = true});
  app.create("Held", {.status = "in_progress"});
  auto const task = app.create("Task", {.status = "todo"});
  CHECK(codes(app, task.id) == "wip");
}

TEST_CASE("Why.NamesARemedyForPeopleWithoutACommand") {
  TestApp app;
  app.executor.write([](service::OperationContext& u) {
    service::set_runner(u, true);
    return true;
  });
  app.add_worker("ada");
  auto const task = app.create("One", {.status = "todo", .assignee = "ada"});
  app.create("Two", {.status = "todo"});
  app.call<&service::pause_worker>({.name = "ada"});
  auto const paused = why(app, task.id).hindrances.front();
  CHECK(paused.remedy == "resume_worker");
  CHECK(paused.about == "ada");
  CHECK(paused.text == "worker \"ada\" is paused");
  CHECK(why(app, 2).hindrances.front().remedy == "assign");
}

TEST_CASE("Why.AnswersForSeveralTasks") {
  TestApp app;
  app.create("One");
  app.create("Two");
  auto const answer = app.call<&service::why_tasks>({.tasks = {"1", "2", "77"}});
  REQUIRE(answer.items.size() == 2);
  CHECK(answer.items.back().id == 2);
  CHECK(app.error<&service::why_tasks>({.tasks = {}}).field == "tasks");
}

TEST_CASE("Why.NamesWhatKeepsWorkFromBeingLanded") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.repo = "/srv/shop", .worktree = true, .land = core::LandingPolicy::automatic}, "classic"});
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Cart", {.status = "todo"});
  auto const run = app.start("dev");
  app.finish(run, {.result = "x",
                   .exit = {.code = 0},
                   .branch = "andon/1-cart",
                   .commits = {"c1"},
                   .base = "b0",
                   .head = "c1"});
  auto const first = [&](core::TaskId id) { return why(app, id).hindrances.front(); };
  CHECK(first(1).code == "landing");
  CHECK(first(1).text == "its work waits to be landed, in its turn");
  CHECK(first(1).remedy == "land");
  app.call<&service::hold_landing>({.id = 1, .reason = "there are local changes on main"});
  CHECK(first(1).text == "its work waits to be landed: there are local changes on main");
}
