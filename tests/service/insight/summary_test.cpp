#include "service/insight/summary.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

namespace {

service::BoardSummary summary(TestApp& app, std::string const& group_by = {}) {
  auto const json = app.answer<&service::board_summary>({.board = "classic", .group_by = group_by});
  return reflect::from_json<service::BoardSummary>(reflect::parse_json(json).value()).value();
}

/// `key=total` of each swimlane.
std::string lanes(TestApp& app, std::string const& group_by) {
  std::string out;
  auto const found = summary(app, group_by);
  for (auto const& lane : *found.groups)
    out += (out.empty() ? "" : " ") + lane.key + "=" + std::to_string(lane.total);
  return out;
}

void fill_columns(TestApp& app) {
  app.create("One", {.priority = service::PriorityName{"high"},
                     .assignee = "bob",
                     .role = "coder",
                     .tags = {"api", "web"}});
  app.create("Two", {.status = "todo",
                     .assignee = "ann",
                     .due = core::parse_date("2020-01-01"),
                     .parent = 1,
                     .class_ = "expedite"});
  app.create("Three", {.status = "todo", .tags = {"api"}});
  app.call<&service::block_task>({.id = 3, .reason = "waits"});
  app.create("Gone");
  app.call<&service::archive_task>({.id = 4});
}

}  // namespace

TEST_CASE("Swimlanes.GroupByEveryFacet") {
  TestApp app;
  fill_columns(app);
  CHECK(lanes(app, "assignee") == "(unassigned)=1 ann=1 bob=1");
  CHECK(lanes(app, "tag") == "(untagged)=1 api=2 web=1");
  CHECK(lanes(app, "class") == "expedite=1 standard=2");
  CHECK(lanes(app, "priority") == "medium=2 high=1");
  CHECK(lanes(app, "status") == "backlog=1 todo=1 blocked=1");
  CHECK(lanes(app, "role") == "(no role)=2 coder=1");
  CHECK(lanes(app, "parent") == "(no parent)=2 #1=1");
}

TEST_CASE("Swimlanes.HaveEveryColumnWithItsNumbers") {
  TestApp app;
  fill_columns(app);
  auto const found = summary(app, "assignee");
  CHECK(found.total_tasks == 3);
  auto const& ann = found.groups->at(1);
  REQUIRE(ann.statuses.size() == 5);
  CHECK(ann.statuses[1].status == "todo");
  CHECK(ann.statuses[1].name == "todo");
  CHECK(ann.statuses[1].count == 1);
  CHECK(ann.statuses[1].overdue == 1);
  CHECK(found.groups->at(0).statuses[3].blocked == 1);
}

TEST_CASE("Summary.CountsWhatIsNotArchived") {
  TestApp app;
  fill_columns(app);
  auto const found = summary(app);
  CHECK(found.total_tasks == 3);
  CHECK_FALSE(found.groups);
  CHECK(found.statuses[1].count == 1);
  CHECK(found.statuses[1].overdue == 1);
  CHECK(found.priorities[2].count == 1);
  CHECK(found.classes[0].count == 1);
}

TEST_CASE("Swimlanes.OfAnEmptyBoardAreNone") {
  TestApp app;
  CHECK(summary(app, "tag").groups->empty());
  CHECK(app.refusal<&service::board_summary>({.board = "classic", .group_by = "mood"}) == "INVALID_GROUP_BY");
}
