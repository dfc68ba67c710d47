#include "service/tasks/copy.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

namespace {

/// A value of every field that a new task may have and that a copy takes over.
service::CreateTaskRequest described_fully() {
  service::CreateTaskRequest out{.body = "Why and how",
                                 .priority = service::PriorityName{"high"},
                                 .assignee = "ann",
                                 .tags = {"ui", "slow"},
                                 .due = core::parse_date("2030-01-31"),
                                 .parent = service::TaskRef{"1"},
                                 .class_ = "fixed-date",
                                 .touches = {"src/**"},
                                 .next_tasks = {{.title = "Tell the users"}},
                                 .review = core::ReviewRule::none,
                                 .max_attempts = 5,
                                 .autocomplete = true};
  for (auto const& field : core::kPlainFields) out.*field.text = "value of " + std::string{field.name};
  return out;
}

}  // namespace

TEST_CASE("Copy.AsksForWhatTheOtherTaskAsksFor") {
  TestApp app;
  app.create("Parent");
  auto const task = app.create("Fix the cart", described_fully());
  auto const copy = app.call<&service::copy_task>({.id = task.id});
  CHECK(copy.id == 3);
  auto same = copy;
  same.id = task.id;
  same.key = task.key;
  same.rank = task.rank;
  CHECK(reflect::to_json(same) == reflect::to_json(task));
  CHECK(app.get(copy.id).body == "Why and how");
}

TEST_CASE("Copy.HasNothingThatHappenedToTheOtherTask") {
  TestApp app;
  app.create("First");
  auto const task = app.create("Fix the cart", {.depends_on = {1}}).id;
  app.create("Part", {.parent = task});
  app.call<&service::edit_task>({.id = task, .status = "in_progress", .claim = "bob"});
  app.call<&service::note_task>({.id = task, .text = "half done"});
  app.call<&service::block_task>({.id = task, .reason = "no key", .claim = "bob"});
  auto const copy = app.call<&service::copy_task>({.id = task});
  CHECK(copy.status == "backlog");
  CHECK_FALSE(copy.blocked);
  CHECK_FALSE(copy.approved);
  CHECK_FALSE(copy.started);
  CHECK_FALSE(copy.children);
  CHECK(copy.claimed_by.empty());
  CHECK(copy.depends_on.empty());
  CHECK(app.get(copy.id).state.notes == 0);
}

TEST_CASE("Copy.TakesAnotherTitleColumnAndBoard") {
  TestApp app;
  app.create("Parent");
  app.create("Fix the cart", {.parent = 1});
  auto const named = app.call<&service::copy_task>({.id = 2, .title = "Fix the basket", .status = "todo"});
  CHECK(named.title == "Fix the basket");
  CHECK(named.status == "todo");
  CHECK(named.parent == core::TaskId{1});
  app.call<&service::create_board>({.name = "other"});
  auto const elsewhere = app.call<&service::copy_task>({.id = 2, .to_board = "other"});
  CHECK(elsewhere.board == "other");
  CHECK_FALSE(elsewhere.parent);
}

TEST_CASE("Copy.OfATaskThatIsPutAwayIsWorkAgain") {
  TestApp app;
  auto const task = app.create("Each spring").id;
  app.call<&service::archive_task>({.id = task});
  CHECK(app.call<&service::copy_task>({.id = task}).status == "backlog");
  CHECK(app.refusal<&service::copy_task>({.id = 99}) == "TASK_NOT_FOUND");
  CHECK(app.refusal<&service::copy_task>({.id = task, .status = "nowhere"}) == "INVALID_STATUS");
}
