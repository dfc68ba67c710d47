#include "core/model/automation.hpp"

#include <thread>

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/automations/automations.hpp"
#include "service/automations/firing.hpp"
#include "service/boards/boards.hpp"
#include "service/event_log.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Automation;
using core::EventKind;
using core::Stage;
using test::TestApp;

namespace {

service::AddAutomationRequest const kMorning{
    .name = "planner", .cron = "30 8 * * *", .template_ = {.title = "Plan the day", .role = "planner"}};
service::AddAutomationRequest const kDry{
    .name = "refill", .after = 10min, .template_ = {.title = "Find work"}};

Automation add(TestApp& app, service::AddAutomationRequest const& request) {
  return app.call<&service::add_automation>(request);
}
Automation get(TestApp& app, std::string_view name) {
  return app.call<&service::get_automation>({.id = {std::string{name}}});
}
service::DueAutomations due(TestApp& app) { return app.call<&service::due_automations>(); }
/// What a server's loop does when it looks; how many tasks that made.
int look(TestApp& app) {
  int made = 0;
  for (auto const& one : due(app).items)
    made += app.call<&service::fire_automation>({.id = service::AutomationRef{std::to_string(one.id)}}).task
                ? 1
                : 0;
  return made;
}
core::Instant at(std::string_view text) { return core::parse_instant(text).value(); }
std::size_t tasks(TestApp& app) { return app.snapshot().tasks.size(); }

}  // namespace

TEST_CASE("Automation.IsAddedWithItsNextTime") {
  TestApp app;
  REQUIRE(app.clock.now() == at("2027-01-15T08:00:00Z"));
  auto const automation = add(app, kMorning);
  CHECK(automation.id == 1);
  CHECK(automation.board == "classic");
  CHECK(automation.kind == core::AutomationKind::cron);
  CHECK(automation.tz == "UTC");
  CHECK(automation.enabled);
  CHECK(automation.next_due == at("2027-01-15T08:30:00Z"));
  CHECK(automation.created_by == "user:ann");
  CHECK(app.kinds(1) == std::vector<std::string>{"board.changed"});
  auto const berlin =
      add(app, {.name = "b", .cron = "30 8 * * *", .tz = "Europe/Berlin", .template_ = {.title = "Plan"}});
  CHECK(berlin.next_due == at("2027-01-16T07:30:00Z"));
  CHECK(app.answer<&service::list_automations>({.board = "classic"}).contains("\"name\":\"b\""));
}

TEST_CASE("Automation.ThatCannotBeIsRefusedNamingTheField") {
  TestApp app;
  app.create("Task");
  add(app, kMorning);
  struct Row {
    std::string_view members, code, field;
  };
  for (auto const& row :
       {Row{R"("name":"a b","cron":"@daily")", "INVALID_INPUT", "name"},
        Row{R"("name":"12","cron":"@daily")", "INVALID_INPUT", "name"},
        Row{R"("name":"Planner","cron":"@daily")", "AUTOMATION_ALREADY_EXISTS", "name"},
        Row{R"("name":"x")", "INVALID_INPUT", "kind"},
        Row{R"("name":"x","kind":"sometimes")", "INVALID_INPUT", "kind"},
        Row{R"("name":"x","kind":"cron")", "INVALID_INPUT", "cron"},
        Row{R"("name":"x","cron":"61 * * * *")", "INVALID_INPUT", "cron"},
        Row{R"("name":"x","cron":"@daily","after":"5m")", "INVALID_INPUT", "after"},
        Row{R"("name":"x","cron":"@daily","tz":"Mars/Olympus")", "INVALID_INPUT", "tz"},
        Row{R"("name":"x","after":"5m","kind":"queue_dry","cron":"@daily")", "INVALID_INPUT", "cron"},
        Row{R"("name":"x","after":"0s")", "INVALID_INPUT", "after"},
        Row{R"("name":"x","after":"9000h")", "INVALID_INPUT", "after"},
        Row{R"("name":"x","cron":"@daily","board":"nowhere")", "BOARD_NOT_FOUND", "board"}}) {
    CAPTURE(row.members);
    auto const error = app.error_of_json<&service::add_automation>("{" + std::string{row.members} +
                                                                   R"(,"template":{"title":"T"}})");
    CHECK(core::row(error.code).name == row.code);
    CHECK(error.field == row.field);
  }
  for (auto const& row : {Row{R"({"body":"x"})", "INVALID_INPUT", "template/title"},
                          Row{R"({"title":" "})", "INVALID_INPUT", "template/title"},
                          Row{R"({"title":"T","status":"nowhere"})", "INVALID_STATUS", "template/status"},
                          Row{R"({"title":"T","priority":"P9"})", "INVALID_PRIORITY", "template/priority"},
                          Row{R"({"title":"T","class":"vip"})", "INVALID_CLASS", "template/class"},
                          Row{R"({"title":"T","review":"maybe"})", "INVALID_INPUT", "template/review"},
                          Row{R"({"title":"T","next_tasks":[{"title":"U","status":"x"}]})", "INVALID_STATUS",
                              "template/next_tasks/0/status"}}) {
    CAPTURE(row.members);
    auto const error = app.error_of_json<&service::add_automation>(
        R"({"name":"x","cron":"@daily","template":)" + std::string{row.members} + "}");
    CHECK(core::row(error.code).name == row.code);
    CHECK(error.field == row.field);
  }
  CHECK(app.refusal<&service::get_automation>({.id = {"nobody"}}) == "AUTOMATION_NOT_FOUND");
  CHECK(app.refusal<&service::run_automation>({.id = {"9"}}) == "AUTOMATION_NOT_FOUND");
}

TEST_CASE("Automation.IsNoBusinessOfAgents") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  add(app, kMorning);
  CHECK(app.refusal<&service::run_automation>({.id = {"1"}}, test::agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::remove_automation>({.id = {"1"}}, test::agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::get_automation>({.id = {"1"}}, test::agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::add_automation>(kDry, test::agent(run)) == "FORBIDDEN");
  CHECK(app.refusal<&service::fire_automation>({.id = {"1"}}, test::person("eve")) == "FORBIDDEN");
}

TEST_CASE("Automation.FiresWhenItsTimeHasComeAndNotBefore") {
  TestApp app("queue");
  add(app, kMorning);
  CHECK(look(app) == 0);
  CHECK(due(app).next == at("2027-01-15T08:30:00Z"));
  app.clock.advance(30min);
  auto const seq = app.last_seq();
  CHECK(look(app) == 1);
  auto const task = app.get(1);
  CHECK(task.title == "Plan the day");
  CHECK(task.role == "planner");
  CHECK(task.stage == Stage::ready);
  CHECK(task.approved);
  CHECK(task.source == "automation");
  CHECK(task.created_by == "automation:planner");
  auto const events = app.events(seq);
  REQUIRE(events.size() == 2);
  CHECK(events[0].kind == EventKind::task_created);
  CHECK(events[1].kind == EventKind::automation_fired);
  CHECK(events[1].task == 1);
  CHECK(events[1].board == "queue");
  for (auto const& event : events) CHECK(core::to_text(event.actor) == "automation:planner");
  auto const automation = get(app, "planner");
  CHECK(automation.fired == 1);
  CHECK(automation.task == 1);
  CHECK(automation.last_fired == app.clock.now());
  CHECK(automation.next_due == at("2027-01-16T08:30:00Z"));
  CHECK(look(app) == 0);
}

TEST_CASE("Automation.NeverMakesASecondTaskWhileTheFirstIsOpen") {
  TestApp app;
  add(app, kMorning);
  app.clock.advance(24h);
  CHECK(look(app) == 1);
  app.clock.advance(24h);
  CHECK(look(app) == 0);
  CHECK(get(app, "planner").last_skipped == app.clock.now());
  CHECK(get(app, "planner").next_due == at("2027-01-17T08:30:00Z"));
  auto const error = app.error<&service::run_automation>({.id = {"planner"}});
  CHECK(error.code == core::Code::kStatusConflict);
  CHECK(error.message.contains("task #1"));
  REQUIRE(error.current);
  CHECK(error.current->id == 1);
  app.move(1, "done");
  CHECK(look(app) == 0);
  app.clock.advance(1h);
  CHECK(look(app) == 1);
  app.call<&service::delete_task>({.id = 2});
  CHECK_FALSE(get(app, "planner").task);
  CHECK(app.call<&service::run_automation>({.id = {"1"}}).id == 3);
}

TEST_CASE("Automation.MissedTimesRunOnce") {
  TestApp app;
  add(app, {.name = "hourly", .cron = "@hourly", .template_ = {.title = "Look around"}});
  app.clock.advance(50h + 20min);
  CHECK(look(app) == 1);
  app.move(1, "done");
  CHECK(look(app) == 0);
  CHECK(get(app, "hourly").next_due == at("2027-01-17T11:00:00Z"));
}

TEST_CASE("Automation.FiresWhenTheQueueWasDryForLongEnough") {
  TestApp app;
  add(app, kDry);
  app.create("Idea");
  auto const work = app.create("Work", {.status = "todo"});
  app.clock.advance(1h);
  CHECK(look(app) == 0);
  CHECK_FALSE(due(app).next);
  CHECK_FALSE(get(app, "refill").next_due);
  app.move(work.id, "in_progress");
  app.clock.advance(1h);
  CHECK(look(app) == 0);
  app.move(work.id, "done");
  CHECK(look(app) == 0);
  CHECK(due(app).next == app.clock.now() + 10min);
  CHECK(get(app, "refill").next_due == app.clock.now() + 10min);
  app.clock.advance(10min - 1ms);
  CHECK(look(app) == 0);
  app.clock.advance(1ms);
  CHECK(look(app) == 1);
  CHECK(app.get(3).title == "Find work");
  app.clock.advance(1h);
  CHECK(look(app) == 0);
  app.move(3, "done");
  app.clock.advance(9min);
  CHECK(look(app) == 0);
  app.clock.advance(1min);
  CHECK(look(app) == 1);
}

TEST_CASE("Automation.BlockedWorkKeepsNoQueueFromBeingDry") {
  TestApp app("queue");
  add(app, kDry);
  auto const work = app.create("Work", {.status = "ready"});
  app.clock.advance(1h);
  CHECK(look(app) == 0);
  app.call<&service::block_task>({.id = 1, .reason = "no key"});
  REQUIRE(app.get(work.id).stage == Stage::ready);
  app.clock.advance(10min - 1ms);
  CHECK(look(app) == 0);
  app.clock.advance(1ms);
  CHECK(look(app) == 1);
}

TEST_CASE("Automation.UnblockedWorkEndsTheDryTime") {
  TestApp app("queue");
  add(app, kDry);
  app.create("Work", {.status = "ready"});
  app.create("More", {.status = "ready"});
  app.call<&service::block_task>({.id = 1, .reason = "no key"});
  app.clock.advance(1h);
  CHECK(look(app) == 0);
  app.call<&service::block_task>({.id = 2, .reason = "no key"});
  app.call<&service::unblock_task>({.id = 1});
  app.clock.advance(1h);
  CHECK(look(app) == 0);
  CHECK_FALSE(due(app).next);
}

TEST_CASE("Automation.ADryQueueThatGotWorkForAMomentBeginsAnew") {
  TestApp app;
  add(app, kDry);
  app.clock.advance(9min);
  auto const work = app.create("Work", {.status = "todo"});
  app.call<&service::delete_task>({.id = work.id});
  app.clock.advance(5min);
  CHECK(look(app) == 0);
  app.clock.advance(5min);
  CHECK(look(app) == 1);
}

TEST_CASE("Automation.ThatIsOffOrOnAnArchivedBoardStaysQuiet") {
  TestApp app;
  add(app, kMorning);
  add(app, kDry);
  app.call<&service::edit_automation>({.id = {"planner"}, .enabled = false});
  app.call<&service::edit_automation>({.id = {"refill"}, .enabled = false});
  app.clock.advance(48h);
  CHECK(look(app) == 0);
  CHECK(app.call<&service::run_automation>({.id = {"refill"}}).title == "Find work");
  app.call<&service::delete_task>({.id = 1});
  auto const on_again = app.call<&service::edit_automation>({.id = {"planner"}, .enabled = true});
  CHECK(on_again.next_due == at("2027-01-17T08:30:00Z"));
  CHECK(look(app) == 0);
  app.create("Keeps the board");
  app.call<&service::delete_board>({.board = "classic"});
  app.clock.advance(48h);
  CHECK(look(app) == 0);
  CHECK(app.refusal<&service::run_automation>({.id = {"1"}}) == "STATUS_CONFLICT");
}

TEST_CASE("Automation.RunByHandNamesWhoDidIt") {
  TestApp app;
  add(app, kMorning);
  auto const seq = app.last_seq();
  auto const task = app.call<&service::run_automation>({.id = {"1"}}, test::person("bob"));
  CHECK(task.created_by == "automation:planner");
  CHECK(task.source == "automation");
  auto const events = app.events(seq);
  REQUIRE(events.size() == 2);
  CHECK(core::to_text(events[0].actor) == "automation:planner");
  CHECK(core::to_text(events[1].actor) == "user:bob");
  CHECK(events[1].data.contains(R"("why":"hand")"));
}

TEST_CASE("Automation.OfTwoServersThatLookAtOnceOneFires") {
  TestApp app;
  add(app, kMorning);
  app.clock.advance(1h);
  std::vector<std::jthread> servers;
  for (int i = 0; i < 8; ++i) servers.emplace_back([&] { look(app); });
  servers.clear();
  CHECK(tasks(app) == 1);
  CHECK(get(app, "planner").fired == 1);
}

TEST_CASE("Automation.WaitsInTheBacklogWhileReadyIsFull") {
  TestApp app;
  app.call<&service::edit_board>(
      {{.columns = std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                             {.name = "todo", .stage = core::Stage::ready, .wip_limit = 1},
                                             {.name = "done", .stage = core::Stage::done}}},
       "classic"});
  app.create("Fills it", {.status = "todo"});
  add(app, kMorning);
  app.clock.advance(1h);
  CHECK(look(app) == 1);
  CHECK(app.get(2).stage == Stage::backlog);
  CHECK(app.get(2).approved);
}

TEST_CASE("Automation.ChangesWhatIsGiven") {
  TestApp app;
  add(app, kMorning);
  auto const edited =
      app.call<&service::edit_automation>({.id = {"planner"}, .name = "dawn", .cron = "0 6 * * *"});
  CHECK(edited.name == "dawn");
  CHECK(edited.rev == 2);
  CHECK(edited.template_.title == "Plan the day");
  CHECK(edited.next_due == at("2027-01-16T06:00:00Z"));
  auto const other = app.call<&service::edit_automation>(
      {.id = {"1"}, .kind = core::AutomationKind::queue_dry, .after = 1h});
  CHECK(other.cron.empty());
  CHECK(other.after == 1h);
  CHECK(app.refusal<&service::edit_automation>({.id = {"1"}, .after = 1h}) == "NO_CHANGES");
  CHECK(app.refusal<&service::edit_automation>({.id = {"1"}, .cron = "@daily"}) == "INVALID_INPUT");
  CHECK(app.answer<&service::remove_automation>({.id = {"1"}}) ==
        R"({"id":1,"name":"dawn","status":"removed"})");
  CHECK(app.refusal<&service::get_automation>({.id = {"1"}}) == "AUTOMATION_NOT_FOUND");
}

TEST_CASE("Metrics.TellAPlannerHowTheBoardIs") {
  TestApp app("queue");
  app.create("Cart\u00e9", {.status = "ready", .max_attempts = 5});
  app.create("Old news", {.status = "ready"});
  app.call<&service::pick_task>({.by = "bob"});
  app.call<&service::start_task>({.id = 1, .claim = "bob"});
  app.call<&service::fail_task>({.id = 1, .reason = "no network\n{{parent.id}} {{metrics}}", .claim = "bob"});
  app.call<&service::pick_task>({.by = "bob"});
  app.clock.advance(5h);
  add(app, {.name = "planner",
            .after = 1h,
            .template_ = {.title = "Plan", .body = "# Health\n{{metrics}}end {{other}}"}});
  auto const body = app.get(app.call<&service::run_automation>({.id = {"1"}}).id).body;
  CHECK(body.starts_with(
      "# Health\n- Now: pending 0, ready 1, claimed 1, in_progress 0, needs_review 0, failed 0\n"
      "- Last 24 hours: 2 created, 0 finished, 0 sent back, 1 failed attempts, 0 given up, 0 killed\n"));
  CHECK(body.contains("- Failures:\n  - #1 Cart\u00e9: no network {{parent.id}} {{metrics}}\n"));
  CHECK(body.contains("- Longest where they are:\n  - #2 Old news: claimed for 5h (bob)\n"));
  CHECK(body.ends_with("end {{other}}"));
}

TEST_CASE("Metrics.LookBackOneDayAndStayShort") {
  TestApp app;
  add(app, {.name = "planner", .after = 1h, .template_ = {.title = "Plan", .body = "{{metrics}}"}});
  std::string const long_reason(3'000, 'x');
  for (int i = 1; i <= 20; ++i) {
    app.create("Task", {.status = "in_progress", .max_attempts = 1});
    app.call<&service::fail_task>({.id = i, .reason = long_reason});
  }
  CHECK(app.get(app.call<&service::run_automation>({.id = {"1"}}).id).body.size() < 4'096);
  app.call<&service::delete_task>({.id = 21});
  app.clock.advance(25h);
  auto const body = app.get(app.call<&service::run_automation>({.id = {"1"}}).id).body;
  CHECK(body.contains("Last 24 hours: 0 created, 0 finished"));
  CHECK_FALSE(body.contains("Failures"));
}

TEST_CASE("Automation.LeavesTheWorkToAnOpenTaskThatAsksForIt") {
  TestApp app;
  add(app, kDry);
  auto const standing = app.create("find work", {.status = "backlog"});
  app.clock.advance(11min);
  auto const before = app.last_seq();
  auto const fired = app.call<&service::fire_automation>({.id = {"refill"}});
  CHECK_FALSE(fired.task);
  CHECK(fired.stands == standing.id);
  CHECK(app.kinds(before) == std::vector<std::string>{"automation.fired"});
  CHECK(service::fact_of(app.events(before).front(), "stands") == "1");
  CHECK(get(app, "refill").fired == 0);
  CHECK(look(app) == 0);
  CHECK(tasks(app) == 1);
  app.call<&service::archive_task>({standing.id});
  app.clock.advance(11min);
  CHECK(look(app) == 1);
}

TEST_CASE("Automation.MakesItsTaskAgainAfterItsEarlierOnes") {
  TestApp app;
  add(app, kDry);
  app.clock.advance(11min);
  CHECK(look(app) == 1);
  app.move(1, "done");
  app.clock.advance(11min);
  CHECK(look(app) == 1);
}
