#include <doctest/doctest.h>

#include "service/house.hpp"

using namespace andon;
using core::Stage;
using test::agent;
using test::House;
using test::on;

namespace {

core::Run at_work(House& house, std::string_view worker, std::string_view ready = "todo") {
  house.add_worker(
      worker, R"("takes_unassigned":true,"role":")" + std::string{worker == "plan" ? "planner" : ""} + "\"");
  house.create("Own task",
               "\"status\":\"" + std::string{ready} + "\",\"assignee\":\"" + std::string{worker} + "\"");
  return house.start(worker);
}

}  // namespace

TEST_CASE("Create.FillsInTheBoardsDefaultsAndWhoMadeIt") {
  House house("queue");
  auto const task = house.create("  Fix the cart ", R"("tags":["a","a","b"])");
  CHECK(task.title == "Fix the cart");
  CHECK(task.status == "pending");
  CHECK(task.priority == "P1");
  CHECK(task.class_ == "standard");
  CHECK(task.created_by == "user:ann");
  CHECK(task.source == "api");
  CHECK(task.tags == std::vector<std::string>{"a", "b"});
  CHECK(task.created == house.clock.now());
}

TEST_CASE("Create.TakesAPriorityByItsPlaceFromTheTop") {
  House house;
  CHECK(house.create("Task", R"("priority":1)").priority == "critical");
  CHECK(house.create("Task", R"("priority":"2")").priority == "high");
  CHECK(house.create("Task", R"("priority":"")").priority == "medium");
  CHECK(house.task("update_task", on(1, R"("priority":4)")).priority == "low");
  CHECK(house.refusal("update_task", on(1, R"("priority":5)")) == "INVALID_PRIORITY");
}

TEST_CASE("Create.RefusesWhatIsNoTaskNamingTheField") {
  House house;
  house.create("Task");
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
    auto const error = house.error("create_task", "{" + std::string{row.members} + "}");
    CHECK(core::row(error.code).name == row.code);
    CHECK(error.field == row.field);
  }
}

TEST_CASE("Create.TakesTheLongestTitleAndNotOneCharacterMore") {
  House house;
  std::string title;
  for (int i = 0; i < 500; ++i) title += "ä";
  CHECK(house.create(title).title == title);
  CHECK(house.refusal("create_task", "{\"title\":\"" + title + "x\"}") == "INVALID_INPUT");
}

TEST_CASE("Create.SeveralAreMadeTogetherOrNotAtAll") {
  House house;
  auto const error = house.error("create_tasks", R"({"items":[{"title":"A"},{"title":""}]})");
  CHECK(error.field == "items/1/title");
  house.answer("create_tasks", R"({"items":[{"title":"A"},{"title":"B"}]})");
  CHECK(house.get(2).title == "B");
}

TEST_CASE("Create.ASubTaskLandsOnItsParentsBoard") {
  House house;
  house.answer("create_board", R"({"name":"other","template":"flow","prefix":"OT"})");
  auto const parent = house.create("Parent", R"("board":"other")");
  auto const child = house.create("Child", R"("parent":"ot-1")");
  CHECK(child.board == "other");
  CHECK(child.parent == parent.id);
  CHECK(child.key == "OT-2");
}

TEST_CASE("Approval.AnAgentOfAnOrdinaryWorkerCannotFillTheQueue") {
  House house;
  auto const run = at_work(house, "dev");
  for (auto const* status : {"todo", "in_progress", "done"})
    CHECK(house.refusal("create_task", "{\"title\":\"x\",\"status\":\"" + std::string{status} + "\"}",
                        agent(run)) == "APPROVAL_REQUIRED");
  auto const made = house.create("Idea", {}, agent(run));
  CHECK(made.stage == Stage::backlog);
  CHECK(made.created_by == "worker:dev");
  CHECK(made.source == "worker");
  CHECK(house.refusal("pick_task", R"({"status":["backlog"],"move":"in_progress"})", agent(run)) ==
        "WORKER_BUSY");
  CHECK(house.refusal("create_task", R"({"title":"x","claim":"dev"})", agent(run)) == "FORBIDDEN");
}

TEST_CASE("Approval.NoAgentPicksWhatNobodyApproved") {
  House house;
  house.add_worker("dev", R"("takes_unassigned":true,"capacity":3)");
  house.create("Task", R"("status":"todo")");
  auto const run = house.start("dev");
  house.create("Idea");
  CHECK(house.error("pick_task", R"({"status":["backlog"],"move":"in_progress"})", agent(run))
            .message.find("1 approval") != std::string::npos);
  CHECK(house.refusal("pick_task", R"({"status":["todo"],"move":"done"})", agent(run)) ==
        "ILLEGAL_TRANSITION");
}

TEST_CASE("Approval.ATrustedRolePlacesItsOwnNewTasksInReadyAndNoFurther") {
  House house("queue");
  auto const run = at_work(house, "plan", "ready");
  auto const made = house.create("Planned", R"("status":"ready")", agent(run));
  CHECK(made.stage == Stage::ready);
  CHECK(made.approved);
  CHECK(house.refusal("create_task", R"({"title":"x","status":"in_progress"})", agent(run)) ==
        "APPROVAL_REQUIRED");
}

TEST_CASE("Quota.ARunCreatesTwentyTasks") {
  House house;
  auto const run = at_work(house, "dev");
  for (int i = 0; i < 20; ++i) house.create("Idea", {}, agent(run));
  auto const error = house.error("create_task", R"({"title":"one more"})", agent(run));
  CHECK(error.code == core::Code::kRateLimited);
  CHECK(error.details.back().first == "retry_after");
  CHECK(house.refusal("create_tasks", R"({"items":[{"title":"one more"}]})", agent(run)) == "RATE_LIMITED");
  for (int i = 0; i < 25; ++i) house.create("A person's");
}

TEST_CASE("Quota.SeveralTasksBeyondItAreNotMadeAtAll") {
  House house;
  auto const run = at_work(house, "dev");
  for (int i = 0; i < 19; ++i) house.create("Idea", {}, agent(run));
  auto const error = house.error("create_tasks", R"({"items":[{"title":"A"},{"title":"B"}]})", agent(run));
  CHECK(error.code == core::Code::kRateLimited);
  CHECK(error.field == "items/1");
  house.create("Idea", {}, agent(run));
}

TEST_CASE("Quota.AgentsThatMakeWorkForAgentsComeToAnEnd") {
  House house("queue");
  house.add_worker("plan", R"("role":"planner")");
  house.create("Plan", R"("status":"ready","role":"planner")");
  for (int depth = 1; depth <= 5; ++depth) {
    auto const run = house.start("plan");
    CHECK(house.create("Plan", R"("status":"ready","role":"planner")", agent(run)).id == depth + 1);
    house.finish(run);
  }
  auto const run = house.start("plan");
  auto const error = house.error("create_task", R"({"title":"Plan"})", agent(run));
  CHECK(error.code == core::Code::kRateLimited);
  CHECK(error.message.contains("a person must create"));
}

TEST_CASE("Dependencies.CloseNoCycleAndTheMessageNamesThePath") {
  House house;
  for (auto const* deps : {"", "\"depends_on\":[1]", "\"depends_on\":[2]"}) house.create("Task", deps);
  auto const error = house.error("update_task", on(1, R"("add_deps":[3])"));
  CHECK(error.code == core::Code::kDependencyCycle);
  CHECK(error.message.find("#1 → #3 → #2 → #1") != std::string::npos);
  CHECK(house.refusal("update_task", on(1, R"("add_deps":[1])")) == "SELF_REFERENCE");
  CHECK(house.refusal("update_task", on(1, R"("parent":1)")) == "SELF_REFERENCE");
  house.task("update_task", on(2, R"("parent":1)"));
  CHECK(house.refusal("update_task", on(1, R"("parent":2)")) == "DEPENDENCY_CYCLE");
}

TEST_CASE("Dependencies.AreSatisfiedByDoneArchivedAndDeletedAndOpenAgainWhenReopened") {
  House house;
  for (int i = 0; i < 3; ++i) house.create("First", R"("status":"todo")");
  auto const task = house.create("Second", R"("status":"todo","depends_on":[1,2,3])");
  auto const open = [&] { return house.stored(task.id).state.open_deps; };
  CHECK(open() == 3);
  house.move(1, "done");
  CHECK(open() == 2);
  house.task("archive_task", on(2));
  CHECK(open() == 1);
  house.answer("delete_task", on(3));
  CHECK(open() == 0);
  house.move(1, "todo");
  CHECK(open() == 1);
  house.task("update_task", on(task.id, R"("remove_deps":[1])"));
  CHECK(open() == 0);
}

TEST_CASE("Parent.ShowsTheProgressOfItsChildren") {
  House house;
  house.create("Parent");
  CHECK_FALSE(house.get(1).children);
  house.create("A", R"("parent":1,"status":"todo")");
  house.create("B", R"("parent":1)");
  CHECK(house.get(1).children == core::Progress{0, 2});
  house.move(2, "done");
  CHECK(house.get(1).children == core::Progress{1, 2});
  house.move(2, "todo");
  CHECK(house.get(1).children == core::Progress{0, 2});
  house.task("update_task", on(3, R"("parent":null)"));
  CHECK(house.get(1).children == core::Progress{0, 1});
  house.answer("delete_task", on(2));
  CHECK(house.get(1).children == core::Progress{1, 1});
  CHECK(house.get(1).stage == Stage::backlog);
}

TEST_CASE("Edit.ChangesWhatIsGivenAndNothingElse") {
  House house;
  house.create("Task", R"("due":"2027-02-01","tags":["a","b"],"body":"One")");
  auto const edited = house.task(
      "update_task", on(1, R"("due":null,"add_tags":["c"],"remove_tags":["a"],"append_body":"Two")"));
  CHECK_FALSE(edited.due);
  CHECK(edited.tags == std::vector<std::string>{"b", "c"});
  CHECK(house.get(1).body == "One\n\nTwo");
  CHECK(edited.rev == 2);
  CHECK(house.refusal("update_task", on(1)) == "NO_CHANGES");
  CHECK(house.refusal("update_task", on(1, R"("title":"Task")")) == "NO_CHANGES");
  CHECK(house.refusal("update_task", on(1, R"("parent":null)")) == "NO_CHANGES");
  CHECK(house.refusal("update_task", on(1, R"("body":"x","append_body":"y")")) == "STATUS_CONFLICT");
}

TEST_CASE("Archive.LeavesTheBoardAndStaysReadable") {
  House house;
  house.create("Task", R"("status":"todo","claim":"bob")");
  CHECK(house.refusal("archive_task", on(1)) == "TASK_CLAIMED");
  auto const archived = house.task("archive_task", on(1, R"("claim":"bob")"));
  CHECK(archived.status == "archived");
  CHECK(archived.claimed_by.empty());
  CHECK(house.snapshot().tasks.empty());
  CHECK(house.get(1).title == "Task");
  auto const seq = house.last_seq();
  house.task("archive_task", on(1));
  CHECK(house.last_seq() == seq);
  House strict("queue");
  strict.create("Task", R"("status":"ready")");
  strict.task("pick_task", R"({"by":"bob"})");
  CHECK(strict.refusal("archive_task", on(1, R"("claim":"bob")")) == "ILLEGAL_TRANSITION");
}

TEST_CASE("Worker.WorksOnlyOnTheBoardsItWasGiven") {
  House house;
  house.answer("create_board", R"({"name":"other"})");
  house.add_worker("dev", R"("takes_unassigned":true,"boards":["other"])");
  house.create("Task", R"("status":"todo","board":"classic")");
  CHECK(house.answer("get_worker", R"({"name":"dev"})").find(R"("boards":["other"])") != std::string::npos);
  CHECK(house.refusal("pick_task", R"({"worker":"dev"})") == "NOTHING_TO_PICK");
}
