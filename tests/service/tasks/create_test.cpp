#include "service/tasks/create.hpp"

#include <doctest/doctest.h>

#include "service/boards/boards.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using core::Stage;
using test::agent;
using test::TestApp;

namespace {

core::Run at_work(TestApp& app, std::string_view worker, std::string_view ready = "todo") {
  app.add_worker(worker, {.role = worker == "plan" ? "planner" : "", .takes_unassigned = true});
  app.create("Own task", {.status = std::string{ready}, .assignee = std::string{worker}});
  return app.start(worker);
}

}  // namespace

TEST_CASE("Create.FillsInTheBoardsDefaultsAndWhoMadeIt") {
  TestApp app("queue");
  auto const task = app.create("  Fix the cart ", {.tags = {"a", "a", "b"}});
  CHECK(task.title == "Fix the cart");
  CHECK(task.status == "pending");
  CHECK(task.priority == "P1");
  CHECK(task.class_ == "standard");
  CHECK(task.created_by == "user:ann");
  CHECK(task.source == "api");
  CHECK(task.tags == std::vector<std::string>{"a", "b"});
  CHECK(task.created == app.clock.now());
}

TEST_CASE("Create.TakesAPriorityByItsPlaceFromTheTop") {
  TestApp app;
  CHECK(app.call_of_json<&service::create_task>(R"({"title":"Task","priority":1})").priority == "critical");
  CHECK(app.create("Task", {.priority = service::PriorityName{"2"}}).priority == "high");
  CHECK(app.create("Task", {.priority = service::PriorityName{""}}).priority == "medium");
  CHECK(app.call_of_json<&service::edit_task>(R"({"id":1,"priority":4})").priority == "low");
  CHECK(app.refusal_of_json<&service::edit_task>(R"({"id":1,"priority":5})") == "INVALID_PRIORITY");
}

TEST_CASE("Create.RefusesWhatIsNoTaskNamingTheField") {
  TestApp app;
  app.create("Task");
  struct Row {
    std::string_view members, code, field;
  };
  for (auto const& row :
       {Row{R"("title":" ")", "INVALID_INPUT", "title"},
        Row{R"("title":"a\nb")", "INVALID_INPUT", "title"},
        Row{R"("title":"a\u202eb")", "INVALID_INPUT", "title"},
        Row{R"("title":"a\udb40\udc41")", "INVALID_INPUT", "title"},
        Row{R"("title":"\u3164")", "INVALID_INPUT", "title"},
        Row{R"("title":"\u00a0\u3000")", "INVALID_INPUT", "title"},
        Row{R"("title":"x","status":"nowhere")", "INVALID_STATUS", "status"},
        Row{R"("title":"x","priority":"P9")", "INVALID_PRIORITY", "priority"},
        Row{R"("title":"x","priority":9)", "INVALID_PRIORITY", "priority"},
        Row{R"("title":"x","assignee":"  ")", "INVALID_INPUT", "assignee"},
        Row{R"("title":"x","class":"vip")", "INVALID_CLASS", "class"},
        Row{R"("title":"x","depends_on":[7])", "DEPENDENCY_NOT_FOUND", "depends_on"},
        Row{R"("title":"x","parent":7)", "DEPENDENCY_NOT_FOUND", "parent"},
        Row{R"("title":"x","depends_on":[2])", "SELF_REFERENCE", "depends_on"},
        Row{R"("title":"x","parent":2)", "SELF_REFERENCE", "parent"},
        Row{R"("title":"x","parent":"what")", "INVALID_TASK_ID", "parent"},
        Row{R"("title":"x","checks":["unit"])", "INVALID_INPUT", "checks"},
        Row{R"("title":"x","max_attempts":0)", "INVALID_INPUT", "max_attempts"},
        Row{R"("title":"x","max_attempts":101)", "INVALID_INPUT", "max_attempts"},
        Row{R"("title":"x","body":"a\u0000b")", "INVALID_INPUT", "body"},
        Row{R"("title":"x","due":"2027-02-30")", "INVALID_DATE", "due"},
        Row{R"("title":"x","nonsense":1)", "UNKNOWN_FIELD", "nonsense"},
        Row{R"("title":"x","next_tasks":[{"role":"qa"}])", "INVALID_INPUT", "next_tasks/0/title"},
        Row{R"("title":"x","board":"other")", "BOARD_NOT_FOUND", "board"},
        Row{R"("body":"x")", "INVALID_INPUT", "title"}}) {
    CAPTURE(row.members);
    auto const error = app.error_of_json<&service::create_task>("{" + std::string{row.members} + "}");
    CHECK(core::row(error.code).name == row.code);
    CHECK(error.field == row.field);
  }
}

TEST_CASE("Create.TakesTheLongestTitleAndNotOneCharacterMore") {
  TestApp app;
  std::string title;
  for (int i = 0; i < 500; ++i) title += "ä";
  CHECK(app.create(title).title == title);
  CHECK(app.refusal<&service::create_task>({.title = title + "x"}) == "INVALID_INPUT");
}

TEST_CASE("Create.SeveralAreMadeTogetherOrNotAtAll") {
  TestApp app;
  auto const error = app.error<&service::create_tasks>({.items = {{.title = "A"}, {.title = ""}}});
  CHECK(error.field == "items/1/title");
  app.call<&service::create_tasks>({.items = {{.title = "A"}, {.title = "B"}}});
  CHECK(app.get(2).title == "B");
}

TEST_CASE("Create.ASubTaskLandsOnItsParentsBoard") {
  TestApp app;
  app.call<&service::create_board>({{.prefix = "OT"}, "other", "flow"});
  auto const parent = app.create("Parent", {.board = "other"});
  auto const child = app.create("Child", {.parent = "ot-1"});
  CHECK(child.board == "other");
  CHECK(child.parent == parent.id);
  CHECK(child.key == "OT-2");
}

TEST_CASE("Approval.AnAgentOfAnOrdinaryWorkerCannotFillTheQueue") {
  TestApp app;
  auto const run = at_work(app, "dev");
  for (auto const* status : {"todo", "in_progress", "done"})
    CHECK(app.refusal<&service::create_task>({.title = "x", .status = std::string{status}}, agent(run)) ==
          "APPROVAL_REQUIRED");
  auto const made = app.create("Idea", {}, agent(run));
  CHECK(made.stage == Stage::backlog);
  CHECK(made.created_by == "worker:dev");
  CHECK(made.source == "worker");
  CHECK(app.refusal<&service::pick_task>({.status = {"backlog"}, .move = "in_progress"}, agent(run)) ==
        "WORKER_BUSY");
  CHECK(app.refusal<&service::create_task>({.title = "x", .claim = "dev"}, agent(run)) == "FORBIDDEN");
}

TEST_CASE("Approval.NoAgentPicksWhatNobodyApproved") {
  TestApp app;
  app.add_worker("dev", {.capacity = 3, .takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  app.create("Idea");
  CHECK(app.error<&service::pick_task>({.status = {"backlog"}, .move = "in_progress"}, agent(run))
            .message.find("1 approval") != std::string::npos);
  CHECK(app.refusal<&service::pick_task>({.status = {"todo"}, .move = "done"}, agent(run)) ==
        "ILLEGAL_TRANSITION");
}

TEST_CASE("Approval.ATrustedRolePlacesItsOwnNewTasksInReadyAndNoFurther") {
  TestApp app("queue");
  auto const run = at_work(app, "plan", "ready");
  auto const made = app.create("Planned", {.status = "ready"}, agent(run));
  CHECK(made.stage == Stage::ready);
  CHECK(made.approved);
  CHECK(app.refusal<&service::create_task>({.title = "x", .status = "in_progress"}, agent(run)) ==
        "APPROVAL_REQUIRED");
}

TEST_CASE("Quota.ARunCreatesTwentyTasks") {
  TestApp app;
  auto const run = at_work(app, "dev");
  for (int i = 0; i < 20; ++i) app.create("Idea " + std::to_string(i), {}, agent(run));
  auto const error = app.error<&service::create_task>({.title = "one more"}, agent(run));
  CHECK(error.code == core::Code::kRateLimited);
  CHECK(error.details.back().first == "retry_after");
  CHECK(app.refusal<&service::create_tasks>({.items = {{.title = "one more"}}}, agent(run)) ==
        "RATE_LIMITED");
  for (int i = 0; i < 25; ++i) app.create("A person's");
}

TEST_CASE("Quota.SeveralTasksBeyondItAreNotMadeAtAll") {
  TestApp app;
  auto const run = at_work(app, "dev");
  for (int i = 0; i < 19; ++i) app.create("Idea " + std::to_string(i), {}, agent(run));
  auto const error =
      app.error<&service::create_tasks>({.items = {{.title = "A"}, {.title = "B"}}}, agent(run));
  CHECK(error.code == core::Code::kRateLimited);
  CHECK(error.field == "items/1");
  app.create("Idea", {}, agent(run));
}

TEST_CASE("Quota.AgentsThatMakeWorkForAgentsComeToAnEnd") {
  TestApp app("queue");
  app.add_worker("plan", {.role = "planner"});
  app.create("Plan", {.status = "ready", .role = "planner"});
  for (int depth = 1; depth <= 5; ++depth) {
    auto const run = app.start("plan");
    auto const title = "Plan " + std::to_string(depth);
    CHECK(app.create(title, {.status = "ready", .role = "planner"}, agent(run)).id == depth + 1);
    app.finish(run);
  }
  auto const run = app.start("plan");
  auto const error = app.error<&service::create_task>({.title = "Plan 6"}, agent(run));
  CHECK(error.code == core::Code::kRateLimited);
  CHECK(error.message.contains("a person must create"));
}

TEST_CASE("Dependencies.CloseNoCycleAndTheMessageNamesThePath") {
  TestApp app;
  app.create("Task");
  app.create("Task", {.depends_on = {1}});
  app.create("Task", {.depends_on = {2}});
  auto const error = app.error<&service::edit_task>({.id = 1, .add_deps = {3}});
  CHECK(error.code == core::Code::kDependencyCycle);
  CHECK(error.message.find("#1 → #3 → #2 → #1") != std::string::npos);
  CHECK(app.refusal<&service::edit_task>({.id = 1, .add_deps = {1}}) == "SELF_REFERENCE");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .parent = 1}) == "SELF_REFERENCE");
  app.call<&service::edit_task>({.id = 2, .parent = 1});
  CHECK(app.refusal<&service::edit_task>({.id = 1, .parent = 2}) == "DEPENDENCY_CYCLE");
}

TEST_CASE("Dependencies.AreSatisfiedByDoneArchivedAndDeletedAndOpenAgainWhenReopened") {
  TestApp app;
  for (int i = 0; i < 3; ++i) app.create("First", {.status = "todo"});
  auto const task = app.create("Second", {.status = "todo", .depends_on = {1, 2, 3}});
  auto const open = [&] { return app.stored(task.id).state.open_deps; };
  CHECK(open() == 3);
  app.move(1, "done");
  CHECK(open() == 2);
  app.call<&service::archive_task>({.id = 2});
  CHECK(open() == 1);
  app.call<&service::delete_task>({.id = 3});
  CHECK(open() == 0);
  app.move(1, "todo");
  CHECK(open() == 1);
  app.call<&service::edit_task>({.id = task.id, .remove_deps = {1}});
  CHECK(open() == 0);
}

TEST_CASE("Parent.ShowsTheProgressOfItsChildren") {
  TestApp app;
  app.create("Parent");
  CHECK_FALSE(app.get(1).children);
  app.create("A", {.status = "todo", .parent = 1});
  app.create("B", {.parent = 1});
  CHECK(app.get(1).children == core::Progress{0, 2});
  app.move(2, "done");
  CHECK(app.get(1).children == core::Progress{1, 2});
  app.move(2, "todo");
  CHECK(app.get(1).children == core::Progress{0, 2});
  app.call<&service::edit_task>({.id = 3, .parent = std::optional<service::TaskRef>{}});
  CHECK(app.get(1).children == core::Progress{0, 1});
  app.call<&service::delete_task>({.id = 2});
  CHECK(app.get(1).children == core::Progress{1, 1});
  CHECK(app.get(1).stage == Stage::backlog);
}

TEST_CASE("Edit.ChangesWhatIsGivenAndNothingElse") {
  TestApp app;
  app.create("Task", {.body = "One", .tags = {"a", "b"}, .due = core::parse_date("2027-02-01")});
  auto const edited = app.call<&service::edit_task>({.id = 1,
                                                     .add_tags = {"c"},
                                                     .remove_tags = {"a"},
                                                     .due = std::optional<core::Date>{},
                                                     .append_body = "Two"});
  CHECK_FALSE(edited.due);
  CHECK(edited.tags == std::vector<std::string>{"b", "c"});
  CHECK(app.get(1).body == "One\n\nTwo");
  CHECK(edited.rev == 2);
  CHECK(app.refusal<&service::edit_task>({.id = 1}) == "NO_CHANGES");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .title = "Task"}) == "NO_CHANGES");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .parent = std::optional<service::TaskRef>{}}) ==
        "NO_CHANGES");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .body = "x", .append_body = "y"}) == "STATUS_CONFLICT");
}

TEST_CASE("Archive.LeavesTheBoardAndStaysReadable") {
  TestApp app;
  app.create("Task", {.status = "todo", .claim = "bob"});
  CHECK(app.refusal<&service::archive_task>({.id = 1}) == "TASK_CLAIMED");
  auto const archived = app.call<&service::archive_task>({.id = 1, .claim = "bob"});
  CHECK(archived.status == "archived");
  CHECK(archived.claimed_by.empty());
  CHECK(app.snapshot().tasks.empty());
  CHECK(app.get(1).title == "Task");
  auto const seq = app.last_seq();
  app.call<&service::archive_task>({.id = 1});
  CHECK(app.last_seq() == seq);
  TestApp strict("queue");
  strict.create("Task", {.status = "ready"});
  strict.call<&service::pick_task>({.by = "bob"});
  CHECK(strict.refusal<&service::archive_task>({.id = 1, .claim = "bob"}) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Worker.WorksOnlyOnTheBoardsItWasGiven") {
  TestApp app;
  app.call<&service::create_board>({{}, "other"});
  app.add_worker("dev", {.takes_unassigned = true, .boards = std::vector<std::string>{"other"}});
  app.create("Task", {.board = "classic", .status = "todo"});
  CHECK(app.answer<&service::get_worker>({.name = "dev"}).find(R"("boards":["other"])") != std::string::npos);
  CHECK(app.refusal<&service::pick_task>({.worker = "dev"}) == "NOTHING_TO_PICK");
}
