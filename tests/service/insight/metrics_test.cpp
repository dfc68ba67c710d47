#include "service/insight/metrics.hpp"

#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/history/retention.hpp"
#include "service/insight/forecast.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

service::FlowMetrics metrics(TestApp& app, service::MetricsRequest const& request = {}) {
  return app.call<&service::flow_metrics>(request);
}

service::WorkerFlow worker(service::FlowMetrics const& metrics, std::string_view name) {
  auto const found = std::ranges::find(metrics.workers, name, &service::WorkerFlow::name);
  REQUIRE(found != metrics.workers.end());
  return *found;
}

/// A task that waited that long, was worked on that long, and is done.
core::TaskId deliver(TestApp& app, core::Duration waits, core::Duration works,
                     service::CreateTaskRequest const& task = {}) {
  auto const id = app.create("Task", task).id;
  app.clock.advance(waits);
  app.move(id, "in_progress");
  app.clock.advance(works);
  app.move(id, "done");
  return id;
}

}  // namespace

TEST_CASE("Metrics.MeasureLeadAndCycleTime") {
  TestApp app;
  deliver(app, 6h, 2h);
  deliver(app, 1h, 3h);
  auto const m = metrics(app);
  CHECK(m.throughput_7d == 2);
  CHECK(m.throughput_30d == 2);
  CHECK(m.avg_lead_time_hours == 6);
  CHECK(m.avg_cycle_time_hours == 2.5);
  CHECK(*m.flow_efficiency == doctest::Approx(5.0 / 12));
  CHECK(*m.active_share == doctest::Approx(5.0 / 12));
  CHECK(m.lead_time == core::Spread{2, 6, 4, 8, 8});
  CHECK(m.cycle_time.p50_hours == 2);
  CHECK(m.completed == 2);
  CHECK(m.throughput_per_day == doctest::Approx(2.0 / 30));
  CHECK(m.totals.tasks == 2);
  CHECK(m.totals.open == 0);
  CHECK(m.totals.boards == 1);
}

TEST_CASE("Metrics.OfAnEmptyBoardAreZeroOrAbsent") {
  TestApp app;
  auto const json = app.answer<&service::flow_metrics>();
  CHECK(json.starts_with(R"({"throughput_7d":0,"throughput_30d":0,"board":"classic")"));
  CHECK(metrics(app).flow.size() == 30);
}

TEST_CASE("Metrics.ShowTheAgeOfWorkUnderWay") {
  TestApp app;
  app.create("Old");
  app.create("New");
  app.create("Waits");
  app.move(1, "in_progress");
  app.clock.advance(5h);
  app.move(2, "todo");
  app.clock.advance(1h);
  auto const m = metrics(app);
  REQUIRE(m.aging_items.size() == 2);
  CHECK(m.aging_items[0].id == 1);
  CHECK(m.aging_items[0].age_hours == 6);
  CHECK(m.aging_items[1].status == "todo");
  CHECK(m.totals.work_in_progress == 1);
}

TEST_CASE("Metrics.DoNotCountWhatWasPutAwayUnfinished") {
  TestApp app;
  deliver(app, 1h, 1h);
  app.create("Given up");
  app.call<&service::archive_task>({.id = 2});
  app.create("Mistake");
  app.call<&service::delete_task>({.id = 3});
  CHECK(metrics(app).completed == 1);
  app.call<&service::archive_task>({.id = 1});
  CHECK(metrics(app).completed == 1);
  CHECK(metrics(app).throughput_7d == 1);
}

TEST_CASE("Metrics.GoBackAsFarAsAsked") {
  TestApp app;
  deliver(app, 0h, 1h);
  app.clock.advance(24h * 10);
  deliver(app, 0h, 1h);
  app.clock.advance(24h);
  CHECK(metrics(app).completed == 2);
  CHECK(metrics(app).throughput_7d == 1);
  CHECK(metrics(app, {.days = 3}).completed == 1);
  CHECK(metrics(app, {.days = 3}).throughput_30d == 2);
  auto const since = metrics(app, {.since = core::parse_date("2027-01-20")});
  CHECK(since.completed == 1);
  CHECK(since.throughput_30d == 1);
  CHECK(core::to_text(since.from) == "2027-01-20");
  CHECK(app.refusal<&service::flow_metrics>({.days = 0}) == "INVALID_INPUT");
  auto const ahead = metrics(app, {.since = core::parse_date("2099-01-01")});
  CHECK(ahead.throughput_30d == 0);
  CHECK(ahead.completed == 0);
  CHECK_FALSE(ahead.avg_lead_time_hours);
  CHECK(app.refusal<&service::flow_metrics>({.days = 3, .since = core::parse_date("2027-01-20")}) ==
        "STATUS_CONFLICT");
  CHECK(app.refusal<&service::flow_metrics>({.utc_offset = "Mars"}) == "INVALID_INPUT");
  CHECK(app.refusal<&service::flow_metrics>({.board = "nowhere"}) == "BOARD_NOT_FOUND");
}

TEST_CASE("Metrics.ShowTheCumulativeFlow") {
  TestApp app;
  app.create("One");
  app.create("Two");
  app.clock.advance(24h);
  app.move(1, "in_progress");
  app.clock.advance(24h);
  app.move(1, "done");
  auto const flow = metrics(app, {.days = 4}).flow;
  REQUIRE(flow.size() == 4);
  CHECK(flow[0].stages == core::StageCounts{});
  CHECK(flow[1].created == 2);
  CHECK(flow[1].stages.backlog == 2);
  CHECK(flow[2].stages.active == 1);
  CHECK(flow[3].finished == 1);
  CHECK(flow[3].stages.done == 1);
  CHECK(flow[3].stages.backlog == 1);
}

TEST_CASE("Metrics.CountVerdictsAndClassesByWhoDidTheWork") {
  TestApp app{"queue"};
  app.call<&service::edit_board>({{.review_by = core::ReviewBy{core::Reviewer::person}}, "queue"});
  app.add_worker("dev", {.role = "dev"});
  for (int n = 1; n <= 2; ++n) {
    app.create("Task", {.status = "ready", .role = "dev"});
    auto const run = app.start("dev");
    app.clock.advance(2h);
    app.finish(run, {.result = "made it",
                     .exit = {.code = 0},
                     .usage = core::Usage{.input = 10, .output = 5, .cost_usd = 0.5}});
  }
  app.call<&service::accept_task>({.id = 1});
  app.call<&service::reject_task>({.id = 2, .reason = "no"});
  auto const m = metrics(app);
  CHECK(m.verdicts.accepted == 1);
  CHECK(m.verdicts.rejected == 1);
  CHECK(m.verdicts.acceptance_rate == 0.5);
  CHECK(m.usage.input == 20);
  CHECK(m.usage.cost_usd == 1);
  CHECK(m.unpriced == 0);
  auto const dev = worker(m, "dev");
  CHECK(dev.completed == 1);
  CHECK(dev.verdicts.acceptance_rate == 0.5);
  CHECK(dev.runs == 2);
  CHECK(dev.failed_runs == 0);
  CHECK(dev.busy_hours == 4);
  CHECK(dev.utilisation == 1);
  CHECK(m.classes[2].class_ == "standard");
  CHECK(m.classes[2].share == 1);
  CHECK(m.classes[3].target == 0.2);
}

TEST_CASE("Metrics.KeepAnUnknownCostUnknown") {
  TestApp app{"queue"};
  app.add_worker("dev", {.role = "dev"});
  auto const finish_for = [&](std::optional<double> price) {
    app.create("Task", {.status = "ready", .role = "dev"});
    app.finish(
        app.start("dev"),
        {.result = "made it", .exit = {.code = 0}, .usage = core::Usage{.input = 10, .cost_usd = price}});
  };
  finish_for(std::nullopt);
  CHECK_FALSE(metrics(app).usage.cost_usd);
  CHECK(metrics(app).unpriced == 1);
  finish_for(0.5);
  auto const dev = worker(metrics(app), "dev");
  CHECK(dev.usage.cost_usd == 0.5);
  CHECK(dev.unpriced == 1);
}

TEST_CASE("Metrics.CountFlakyChecks") {
  TestApp app{"queue"};
  app.add_worker("dev", {.role = "dev"});
  for (bool const is_flaky : {true, false, true}) {
    app.create("Task", {.status = "ready", .role = "dev"});
    app.finish(app.start("dev"), {.result = "made it",
                                  .exit = {.code = 0},
                                  .checks = {{.name = "unit", .passed = true, .flaky = is_flaky}}});
  }
  CHECK(metrics(app).flaky_checks == 2);
  CHECK(worker(metrics(app), "dev").flaky_checks == 2);
  app.executor.read([&](service::OperationContext& u) {
    auto const checks = service::flaky_checks(u, u.now - 24h);
    REQUIRE(checks.size() == 1);
    CHECK(checks[0].board == app.board);
    CHECK(checks[0].n == 2);
  });
  app.clock.advance(24h * 40);
  CHECK(metrics(app).flaky_checks == 0);
}

TEST_CASE("Metrics.CountRetriesAndFailures") {
  TestApp app{"queue"};
  app.create("Task", {.status = "ready", .max_attempts = 2});
  for (auto const* reason : {"one", "two"}) {
    app.call<&service::claim_task>({.id = 1, .by = "bob"});
    app.call<&service::start_task>({.id = 1, .claim = "bob"});
    app.call<&service::fail_task>({.id = 1, .reason = std::string{reason}, .claim = "bob"});
    app.clock.advance(2h);
  }
  CHECK(metrics(app).retries == 1);
  CHECK(metrics(app).failures == 1);
}

TEST_CASE("Metrics.KnowWhatColumnsMeantBeforeTheyWereRenamedOrRemoved") {
  TestApp app("flow");
  auto const work = [&] {
    auto const id = app.create("Task", {.status = "todo"}).id;
    app.call<&service::move_task>({.id = id, .status = "in-progress", .claim = "bob"});
    app.clock.advance(1h);
    app.call<&service::submit_task>({.id = id, .claim = "bob"});
    return id;
  };
  app.call<&service::accept_task>({.id = work()});
  app.call<&service::reject_task>({.id = work(), .reason = "no"});
  auto const waits = work();
  auto const before = metrics(app);
  REQUIRE(before.verdicts.acceptance_rate == 0.5);
  app.clock.advance(24h);
  app.call<&service::edit_board>({{}, "flow", {}, {{"review", "check"}, {"in-progress", "doing"}}});
  app.call<&service::edit_board>(test::board_edit("flow", [](auto& edit) {
    edit.remove_columns = {"check"};
    edit.move_tasks = {{"check", "todo"}};
  }));
  app.clock.advance(1s);
  app.call<&service::edit_board>(test::board_edit(
      "flow", [](auto& edit) { edit.add_columns = {{.name = "check", .stage = core::Stage::ready}}; }));
  CHECK(app.get(waits).status == "todo");
  auto const after = metrics(app);
  CHECK(after.verdicts.accepted == 1);
  CHECK(after.verdicts.rejected == 1);
  CHECK(after.active_share == before.active_share);
  auto const& yesterday = after.flow.at(after.flow.size() - 2);
  CHECK(yesterday.created == 3);
  CHECK(yesterday.finished == 1);
  CHECK(yesterday.stages.review == 1);
  CHECK(after.flow.back().stages.review == 0);
  CHECK(after.flow.back().created == 0);
}

namespace {

/// Four finished tasks in each of the last hours of ten days, without the detours of operations.
void deliver_many(TestApp& app, int hours) {
  store::write(*app.store, [&](store::Tx& tx) {
    for (int n = 0; n < hours * 4; ++n) {
      auto const completed = app.clock.now() - std::chrono::hours{n / 4} - 1min;
      core::Task task;
      task.board = app.board;
      task.title = "Task";
      task.status = "done";
      task.priority = "medium";
      task.class_ = n % 2 == 0 ? "" : "expedite";
      task.assignee = n % 4 == 0 ? "ann" : "bob";
      task.completed = task.updated = completed;
      task.started = completed - 2h;
      task.created = completed - 5h;
      task.state.entered = completed;
      auto const id = tx.add(task).id;
      for (auto const& [from, to, at] :
           {std::tuple{"", "todo", task.created}, std::tuple{"todo", "in_progress", *task.started},
            std::tuple{"in_progress", "done", completed}}) {
        core::Event event;
        event.kind = core::EventKind::task_moved;
        event.board = app.board;
        event.task = id;
        event.from = from;
        event.to = to;
        event.ts = at;
        tx.append(event);
      }
    }
    return store::Outcome::commit;
  });
}

}  // namespace

TEST_CASE("Metrics.OfMoreThanIsCountedOneByOneAreTheSame") {
  constexpr int kHours = 1'100;
  TestApp app;
  app.clock.advance(24h * 60);
  deliver_many(app, kHours);
  auto const m = metrics(app, {.days = 60});
  CHECK(m.completed == 4 * kHours);
  CHECK(m.throughput_30d == 4 * 30 * 24);
  CHECK(m.throughput_7d == 4 * 7 * 24);
  CHECK(*m.avg_lead_time_hours == doctest::Approx(5));
  CHECK(*m.avg_cycle_time_hours == doctest::Approx(2));
  CHECK(*m.flow_efficiency == doctest::Approx(0.4));
  CHECK(m.lead_time.count == 4 * kHours);
  CHECK(m.lead_time.p85_hours == doctest::Approx(5).epsilon(0.035));
  CHECK(*m.active_share == doctest::Approx(0.4));
  CHECK(worker(m, "ann").completed == kHours);
  CHECK(worker(m, "bob").completed == 3 * kHours);
  std::int64_t finished = 0, created = 0;
  for (auto const& day : m.flow) finished += day.finished, created += day.created;
  CHECK(finished == 4 * kHours);
  CHECK(created == 4 * kHours);
  CHECK(m.flow.back().stages.done == 4 * kHours);
  CHECK(m.flow.front().stages.done == 0);
}

TEST_CASE("Metrics.AreTheSameBeforeAndAfterTheHistoryIsTrimmed") {
  TestApp app;
  app.add_worker("bot");
  std::mt19937 random{11};
  auto const below = [&](unsigned end) { return random() % end; };
  static constexpr char const* kColumns[] = {"backlog", "todo", "in-progress", "review", "done", "todo"};
  std::vector<core::TaskId> tasks;
  for (int act = 0; act < 500; ++act) {
    app.clock.advance(std::chrono::minutes{below(240)});
    if (below(3) == 0) tasks.push_back(app.create("Task", {.assignee = "ann"}).id);
    if (!tasks.empty())
      (void)app.ask<&service::move_task>({.id = tasks[below(static_cast<unsigned>(tasks.size()))],
                                          .status = std::string{kColumns[below(6)]},
                                          .force = true});
    if (below(20) == 0) {
      app.create("Run", {.status = "todo", .priority = service::PriorityName{"critical"}, .assignee = "bot"});
      app.finish(app.start("bot"));
    }
    if (act == 250) app.call<&service::edit_board>({{}, "1", {}, {{"in-progress", "working"}}});
  }
  app.call<&service::change_retention>({.history = 168h});
  auto const all = [&] {
    std::string out;
    for (int const days : {1, 7, 30, 400})
      for (auto const* offset : {"+00:00", "+05:45", "-03:00", "+02:07"})
        out += app.answer<&service::flow_metrics>({.days = days, .utc_offset = offset});
    return out + app.answer<&service::forecast>({.tasks = 5});
  };
  auto const before = all();
  std::int64_t removed = 0;
  for (bool more = true; more;) {
    auto const slice = app.call<&service::trim_store>();
    removed += slice.events;
    more = slice.more;
  }
  CHECK(removed > 30);
  CHECK(all() == before);
}
