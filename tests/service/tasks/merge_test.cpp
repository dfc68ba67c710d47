#include "service/tasks/merge.hpp"

#include <doctest/doctest.h>

#include "service/event_log.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/copies.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

TEST_CASE("Merge.ArchivesTheCopyAndGivesTheOtherWhatHangsOnIt") {
  TestApp app;
  app.create("Fix the login crash", {.tags = {"web"}, .touches = {"src/login/**"}});
  app.create("Fix login crashes",
             {.body = "On Safari.", .tags = {"web", "safari"}, .touches = {"src/form/**"}});
  app.create("Part of it", {.parent = 2});
  app.create("Release", {.depends_on = {2}});
  auto const before = app.last_seq();
  auto const task = app.call<&service::merge_tasks>({2, 1});
  CHECK(task.id == 1);
  CHECK(task.tags == std::vector<std::string>{"web", "safari"});
  CHECK(task.touches == std::vector<std::string>{"src/login/**", "src/form/**"});
  CHECK(app.get(2).stage == core::Stage::archived);
  CHECK(app.get(3).parent == core::TaskId{1});
  CHECK(app.get(4).depends_on == std::vector<core::TaskId>{core::TaskId{1}});
  CHECK(app.call<&service::list_copies>({app.board}).items.empty());
  std::vector<std::string> notes;
  for (auto const& event : app.events(before))
    if (event.kind == core::EventKind::task_noted) notes.push_back(service::fact_of(event, "text"));
  CHECK(notes == std::vector<std::string>{"Merged from #2 \"Fix login crashes\".\n\nIts brief:\n\nOn Safari.",
                                          "Merged into #1 \"Fix the login crash\"."});
}

TEST_CASE("Merge.RefusesWhatCannotBeMerged") {
  TestApp app;
  app.create("Fix the login crash");
  app.create("Fix login crashes");
  app.create("Part of it", {.parent = 2});
  CHECK(app.refusal<&service::merge_tasks>({1, 1}) == "SELF_REFERENCE");
  CHECK(app.refusal<&service::merge_tasks>({2, 3}) == "DEPENDENCY_CYCLE");
  CHECK(app.refusal<&service::merge_tasks>({2, 9}) == "TASK_NOT_FOUND");
  app.move(2, "archived");
  CHECK(app.refusal<&service::merge_tasks>({2, 1}) == "STATUS_CONFLICT");
}

TEST_CASE("Merge.RefusesACopyThatSomebodyWorksOn") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Fix the login crash");
  app.create("Fix login crashes", {.status = "todo", .assignee = "dev"});
  app.start("dev");
  CHECK(app.refusal<&service::merge_tasks>({2, 1}) == "TASK_CLAIMED");
}

TEST_CASE("Merge.ATaskThatWaitsForItsCopyWaitsNoMore") {
  TestApp app;
  app.create("Fix login crashes");
  app.create("Fix the login crash", {.depends_on = {1}});
  CHECK(app.call<&service::merge_tasks>({1, 2}).depends_on.empty());
}

TEST_CASE("Merge.RefusesACycleAndChangesNothing") {
  TestApp app;
  app.create("Fix login crashes");
  app.create("First", {.depends_on = {1}});
  app.create("Fix the login crash", {.depends_on = {2}});
  CHECK(app.refusal<&service::merge_tasks>({1, 3}) == "DEPENDENCY_CYCLE");
}
