// Random histories of runs, landings, verdicts and clocks. After each step, whether it was carried out or
// refused, every open task has an owner of its next step. ANDON_HISTORIES sets their number,
// ANDON_RANDOM_SEED the first one, which a failure names.
#include "service/insight/next_step.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/runs/revert.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::NextStepOwner;
using core::Stage;
using test::call_of;

namespace {

constexpr int kSteps = 150;
constexpr std::int64_t kMostTasks = 8;

int number_of(char const* variable, int otherwise) {
  auto const* given = std::getenv(variable);
  return given ? std::atoi(given) : otherwise;
}

constexpr std::array kTemplates{"classic", "queue", "flow"};
constexpr std::array kWorkers{"dev", "ops", "judge"};

struct RandomHistory : test::TestApp {
  explicit RandomHistory(unsigned seed) : TestApp(kTemplates[seed % kTemplates.size()]), random(seed) {
    call<&service::edit_board>({policies(), board});
    add_worker("dev", {.role = "coder", .takes_unassigned = true});
    add_worker("ops", {.role = "coder",
                       .takes_unassigned = true,
                       .plan = chance(20) ? core::PlanRule::required : core::PlanRule::none});
    add_worker("judge", {.role = "reviewer"});
    executor.write([](service::OperationContext& ctx) { return service::set_runner(ctx, true), true; });
    executor.read([&](service::OperationContext& ctx) {
      for (auto const& column : ctx.tx.boards().front()->columns) columns.push_back(column.name);
    });
    create("First");
  }

  std::size_t below(std::size_t most) { return random() % most; }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <std::size_t N>
  auto any(auto const (&list)[N]) {
    return list[below(N)];
  }

  service::BoardPolicies policies() {
    service::BoardPolicies out;
    constexpr std::string_view kReviewers[]{"person", "checks", "role:reviewer"};
    out.review_by = core::parse_review_by(any(kReviewers));
    if (chance(70)) {
      out.repo = "/srv/shop";
      out.worktree = chance(80);
      out.land = chance(70) ? core::LandingPolicy::automatic : core::LandingPolicy::off;
    }
    if (chance(30)) out.require_evidence = chance(50);
    return out;
  }

  core::TaskId any_task() { return core::TaskId{static_cast<std::int64_t>(below(tasks_) + 1)}; }

  /// Carries out one act of anybody; it may be refused.
  void step() {
    std::vector<core::Run> runs;
    std::vector<core::Run> queue;
    executor.read([&](service::OperationContext& ctx) {
      runs = ctx.tx.live_runs();
      auto const items = service::landing_queue(ctx, {})->items;
      for (auto const& item : items) queue.push_back(item.run);
    });
    auto const way = below(100);
    if (!runs.empty() && way < 40) return act_on(runs[below(runs.size())]);
    if (!queue.empty() && way < 55) return land(queue[below(queue.size())]);
    if (way < 70) return (void)ask<&service::dispatch_next>({.worker = kWorkers[below(kWorkers.size())]});
    if (way < 75) return (void)ask<&service::sweep>({});
    if (way < 80) return clock.advance(std::chrono::minutes{below(200)});
    if (way < 83) return (void)ask<&service::extend_leases>({});
    if (way < 85) return (void)ask<&service::edit_board>({policies(), board});
    if (way < 88 && tasks_ < kMostTasks) {
      service::CreateTaskRequest request{.title = "Task", .role = chance(60) ? "coder" : ""};
      if (chance(40)) request.depends_on = {any_task()};
      if (chance(20)) request.parent = any_task();
      if (chance(20)) request.plan = core::PlanRule::required;
      if (chance(60)) request.status = columns[below(columns.size())];
      if (ask<&service::create_task>(request)) ++tasks_;
      return;
    }
    verb(any_task());
  }

  void act_on(core::Run const& run) {
    if (!run.pid) {
      auto hash = std::to_string(run.id);
      hash.insert(0, 64 - hash.size(), 'a');
      (void)ask<&service::begin_run>({.id = run.id, .token_hash = hash});
      if (chance(90)) (void)ask<&service::adopt_run>({.id = run.id, .pid = 7, .process = "boot 7"});
      return;
    }
    if (chance(45)) return (void)ask<&service::finish_run>(end_of(run.id));
    auto const by = test::agent(run);
    switch (below(9)) {
      case 0: return (void)ask<&service::fail_task>({.id = run.task, .reason = "it broke"}, by);
      case 1: return (void)ask<&service::block_task>({.id = run.task, .reason = "which one?"}, by);
      case 2: return (void)ask<&service::complete_task>({.id = run.task, .no_change = "it is so"}, by);
      case 3: return (void)ask<&service::handoff_task>({.id = run.task, .note = "the rest"}, by);
      case 4: return (void)ask<&service::accept_task>({.id = run.task}, by);
      case 5: return (void)ask<&service::reject_task>({.id = run.task, .reason = "no"}, by);
      case 6:
        return (void)ask<&service::move_task>({.id = run.task, .status = columns[below(columns.size())]}, by);
      default: return (void)ask<&service::complete_task>({.id = run.task, .result = "made it"}, by);
    }
  }

  service::FinishRunRequest end_of(core::RunId id) {
    using enum core::StopReason;
    constexpr core::StopReason kReasons[]{killed,   timed_out,  stale,          over_budget, rate_limited,
                                          fatal,    unfit,      workspace,      withdrawn,   lost,
                                          reported, over_limit, short_of_memory};
    service::FinishRunRequest out{
        .id = id, .result = chance(70) ? "words" : "", .exit = {.code = static_cast<int>(below(3) / 2)}};
    if (chance(30)) out.stopped_because = any(kReasons);
    if (chance(60)) {
      out.commits = {"c1"};
      out.base = "b0";
      out.head = "c1";
      out.diff_size = core::DiffSize{1, 1, 0};
    }
    if (chance(10)) out.left_out = {{"vault/p", "its filter is not run"}};
    if (chance(30)) out.checks = {{.name = "unit", .passed = chance(70)}};
    return out;
  }

  void land(core::Run const& run) {
    switch (below(6)) {
      case 0: return (void)ask<&service::return_landing>({.id = run.id, .reason = "it conflicts"});
      case 1: return (void)ask<&service::hold_landing>({.id = run.id, .reason = "no room"});
      case 2:
        return (void)ask<&service::ask_landing>(
            {.id = run.id, .findings = {{.limit = "files", .count = 9, .most = 5}}});
      default:
        (void)ask<&service::plan_landing>({.id = run.id, .commit = "m1", .onto = "b0"});
        if (chance(80)) (void)ask<&service::land_run>({.id = run.id, .commit = "m1", .branch = "main"});
    }
  }

  void verb(core::TaskId id) {
    switch (below(17)) {
      case 0: return (void)ask<&service::approve_task>({.id = id});
      case 1: return (void)ask<&service::claim_task>({.id = id, .by = chance(50) ? "dev" : "bob"});
      case 2: return (void)ask<&service::release_task>({.id = id});
      case 3: return (void)ask<&service::complete_task>({.id = id, .force = chance(60)});
      case 4: return (void)ask<&service::block_task>({.id = id, .reason = "wait", .force = chance(60)});
      case 5: return (void)ask<&service::unblock_task>({.id = id});
      case 6: return (void)ask<&service::answer_task>({.id = id, .text = "the red one"});
      case 7: return (void)ask<&service::accept_task>({.id = id});
      case 8: return (void)ask<&service::reject_task>({.id = id, .reason = "not yet"});
      case 9: return (void)ask<&service::retry_task>({.id = id});
      case 10: return (void)ask<&service::kill_task>({.id = id});
      case 11: return (void)ask<&service::archive_task>({.id = id, .force = chance(50)});
      case 12: return (void)ask<&service::start_task>({.id = id, .claim = chance(50) ? "dev" : "bob"});
      case 13: return (void)ask<&service::revert_task>({.id = id});
      case 14:
        return (void)ask<&service::judge_landing>(
            {.id = id,
             .verdict = chance(60) ? service::LandingVerdict::land : service::LandingVerdict::reject});
      case 15:
        return (void)ask<&service::edit_task>({.id = id, .add_deps = {any_task()}, .force = chance(50)});
      default:
        return (void)ask<&service::move_task>(
            {.id = id, .status = columns[below(columns.size())], .force = chance(60)});
    }
  }

  /// The first open task without an owner, with what is known of it.
  std::optional<std::string> orphan() {
    std::optional<std::string> out;
    executor.read([&](service::OperationContext& ctx) {
      for (std::int64_t id = 1; auto const task = ctx.tx.task(core::TaskId{id}); ++id) {
        auto const owner = service::next_step_of(ctx, *task);
        if (owner) ++seen[*owner];
        if (owner != NextStepOwner::nobody || out) continue;
        out = reflect::to_json(*task);
        if (auto const run = task->run ? ctx.tx.run(*task->run) : std::nullopt)
          *out += "\n" + reflect::to_json(*run);
      }
      if (out.has_value() == service::orphans(ctx).empty()) out = "the search for orphans finds others";
    });
    return out;
  }

  std::mt19937 random;
  std::vector<std::string> columns;
  std::map<NextStepOwner, int> seen;

 private:
  std::size_t tasks_ = 1;
};

}  // namespace

TEST_CASE("NextStep.OfEveryOpenTaskHasAnOwnerInRandomHistories") {
  auto const histories = number_of("ANDON_HISTORIES", 100);
  auto const first = number_of("ANDON_RANDOM_SEED", 0);
  std::map<NextStepOwner, int> seen;
  for (int done = 0; done < histories; ++done) {
    auto const seed = static_cast<unsigned>(first + done);
    RandomHistory history{seed};
    for (int step = 0; step < kSteps; ++step) {
      history.clock.advance(1s);
      history.step();
      auto const orphan = history.orphan();
      CAPTURE(seed);
      CAPTURE(step);
      REQUIRE_MESSAGE(!orphan, orphan.value_or(""));
    }
    for (auto const& [owner, count] : history.seen) seen[owner] += count;
  }
  // The histories are worth something when every owner comes up.
  for (std::size_t owner = 1; owner < core::kNextStepOwnerNames.size(); ++owner) {
    CAPTURE(core::kNextStepOwnerNames[owner]);
    CHECK(seen[static_cast<NextStepOwner>(owner)] > 0);
  }
}
