#include "service/insight/summary.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/house.hpp"

using namespace andon;
using test::House;
using test::on;

namespace {

service::BoardSummary summary(House& house, std::string const& group_by = {}) {
  auto const json = house.answer("board_summary", R"({"board":"classic","group_by":")" + group_by + "\"}");
  return reflect::from_json<service::BoardSummary>(reflect::parse_json(json).value()).value();
}

/// `key=total` of each swimlane.
std::string lanes(House& house, std::string const& group_by) {
  std::string out;
  auto const found = summary(house, group_by);
  for (auto const& lane : *found.groups)
    out += (out.empty() ? "" : " ") + lane.key + "=" + std::to_string(lane.total);
  return out;
}

void fill(House& house) {
  house.create("One", R"("assignee":"bob","tags":["api","web"],"priority":"high","role":"coder")");
  house.create("Two", R"("assignee":"ann","class":"expedite","parent":1,"status":"todo","due":"2020-01-01")");
  house.create("Three", R"("tags":["api"],"status":"todo")");
  house.task("block_task", on(3, R"("reason":"waits")"));
  house.create("Gone");
  house.task("archive_task", on(4));
}

}  // namespace

TEST_CASE("Swimlanes.GroupByEveryFacet") {
  House house;
  fill(house);
  CHECK(lanes(house, "assignee") == "(unassigned)=1 ann=1 bob=1");
  CHECK(lanes(house, "tag") == "(untagged)=1 api=2 web=1");
  CHECK(lanes(house, "class") == "expedite=1 standard=2");
  CHECK(lanes(house, "priority") == "medium=2 high=1");
  CHECK(lanes(house, "status") == "backlog=1 todo=1 blocked=1");
  CHECK(lanes(house, "role") == "(no role)=2 coder=1");
  CHECK(lanes(house, "parent") == "(no parent)=2 #1=1");
}

TEST_CASE("Swimlanes.HaveEveryColumnWithItsNumbers") {
  House house;
  fill(house);
  auto const found = summary(house, "assignee");
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
  House house;
  fill(house);
  auto const found = summary(house);
  CHECK(found.total_tasks == 3);
  CHECK_FALSE(found.groups);
  CHECK(found.statuses[1].count == 1);
  CHECK(found.statuses[1].overdue == 1);
  CHECK(found.priorities[2].count == 1);
  CHECK(found.classes[0].count == 1);
}

TEST_CASE("Swimlanes.OfAnEmptyBoardAreNone") {
  House house;
  CHECK(summary(house, "tag").groups->empty());
  CHECK(house.refusal("board_summary", R"({"board":"classic","group_by":"mood"})") == "INVALID_GROUP_BY");
}
