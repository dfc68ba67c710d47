#pragma once

#include <functional>
#include <map>
#include <string>

#include "api/local_executor.hpp"
#include "runner/merging/merge_queue.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/work_folder.hpp"
#include "runner/worktrees/workspace.hpp"
#include "service/boards/boards.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/workers.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"

namespace andon::test {

/// A board with a repository, a worker whose work the tests write, and the loop body that lands it.
struct MergeYard : GitPlace {
  explicit MergeYard(std::map<std::string, std::vector<std::string>> checks = {}) {
    service::CreateBoardRequest board;
    board.name = "shop";
    board.template_ = "classic";
    board.repo = repo;
    board.worktree = true;
    board.checks = std::move(checks);
    REQUIRE(client.call<&service::create_board>(board));
    service::PutWorkerRequest worker;
    worker.name = "dev";
    worker.agent = "generic";
    worker.capacity = 9;
    worker.takes_unassigned = true;
    REQUIRE(client.call<&service::add_worker>(worker));
    executor.write([](service::OperationContext& u) {
      service::set_runner(u, true);
      return true;
    });
  }

  /// Sets the limits of the board.
  void set_limits(core::LandLimits const& limits) {
    service::BoardPolicies policies;
    policies.land_limits = limits;
    REQUIRE(client.call<&service::edit_board>({policies, "shop"}));
  }
  /// A task whose worker runs that script in its work tree, commits and is done.
  core::Run work(std::string const& title, std::string const& script) {
    service::CreateTaskRequest task;
    task.board = "shop";
    task.title = title;
    task.status = "todo";
    auto const created = client.call<&service::create_task>(task);
    REQUIRE(created);
    return work(script);
  }
  /// The next attempt at whatever waits.
  core::Run work(std::string const& script) {
    clock.advance(std::chrono::hours{2});
    auto run = client.call<&service::dispatch_next>(service::DispatchRequest{"dev"});
    REQUIRE(run);
    auto const number = std::to_string(run->id);
    auto const brief = client.call<&service::begin_run>(
        service::BeginRunRequest{run->id, std::string(64 - number.size(), 'a') + number});
    REQUIRE(brief);
    auto spec = workspace({});
    spec.directory = runner::work_tree_of(data, "shop", brief->task);
    spec.branch = brief->branch;
    spec.place = brief->place;
    auto const place = prepare(spec);
    REQUIRE(place);
    REQUIRE(client.call<&service::keep_work_place>(service::WorkPlaceRequest{run->id, *place}));
    at(spec.directory, script);
    auto const use = runner::use_for(spec);
    auto const done = runner::record_work(
        spec, *place, run->id, {}, use,
        {.commit = {run->task, "dev", "Work"}, .kept_out = {}, .filters = {}, .is_finished = true});
    service::FinishRunRequest ending;
    ending.id = run->id;
    ending.result = "made it";
    ending.exit.code = 0;
    ending.base = done.base;
    ending.head = done.head;
    ending.branch = at(spec.directory, "git symbolic-ref --short HEAD");
    ending.files_changed = 1;
    REQUIRE(client.call<&service::finish_run>(ending));
    return run_now(run->id);
  }
  core::Run run_now(core::RunId id) { return *client.call<&service::get_run>(service::RunRequest{id}); }
  core::Landing landing(core::Run const& run) { return run_now(run.id).landing.value_or(core::Landing{}); }
  core::Task task(core::TaskId id) {
    return *client.call<&service::get_task>(service::TaskRequest{{std::to_string(id)}});
  }
  /// Puts the task of a run back into the queue.
  void take_up_again(core::Run const& run) {
    service::MoveTaskRequest move;
    move.id = {std::to_string(run.task)};
    move.status = "todo";
    move.force = true;
    REQUIRE(client.call<&service::move_task>(move));
  }
  void land_all() {
    clock.advance(std::chrono::minutes{1});
    for (int i = 0; i < 10; ++i) merge_queue.step(clock.now());
  }
  std::filesystem::path tree_of(core::Run const& run) {
    return runner::work_tree_of(data, "shop", task(run.task));
  }

  FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  runner::OperationClient client{executor};
  bool stopping = false;
  runner::MergeQueue merge_queue{
      client, data, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, [this] { return stopping; }};
};

}  // namespace andon::test
