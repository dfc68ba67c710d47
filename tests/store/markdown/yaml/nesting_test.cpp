#include <algorithm>

#include <doctest/doctest.h>

#include "store/contract/examination.hpp"
#include "store/markdown/attached_house.hpp"
#include "store/markdown/board_house.hpp"

using namespace andon;
using namespace andon::test;

namespace {

std::string file_name(int number) { return std::to_string(number) + "-part.md"; }

std::string text_of(int number, int parent) {
  return "---\nid: " + std::to_string(number) + "\ntitle: Part\nstatus: todo\npriority: medium\n" +
         (parent > 0 ? "parent: " + std::to_string(parent) + "\n" : "") +
         "created: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n";
}

/// Files that each name the one before as their parent.
template <class House>
void write_chain(House const& house, int length) {
  for (int n = 1; n <= length; ++n) ByHand::write(house.task(file_name(n)), text_of(n, n - 1));
}

std::int64_t tasks_of(store::Store& store) {
  return seen(store, [](store::Tx& tx) { return tx.count({}); });
}

}  // namespace

TEST_CASE("Nesting.FilesDeeperThan100AreLeftOutAndTheOthersShown") {
  BoardHouse house;
  write_chain(house, 300);
  ByHand::write(house.task("900-free.md"), text_of(900, 0));
  CHECK(house.has_task(900));
  CHECK(house.has_task(101));
  CHECK_THROWS_WITH(house.has_task(102),
                    "102-part.md: its parents are nested deeper than 100; name a parent further up");
  CHECK_THROWS(house.has_task(300));
  CHECK(house.warned_of("102-part.md: its parents are nested deeper than 100"));
  house.lose_index();
  CHECK(tasks_of(house.store()) == 102);
}

TEST_CASE("Nesting.AShorterChainBringsItsFilesBack") {
  BoardHouse house;
  write_chain(house, 150);
  CHECK(tasks_of(house.store()) == 101);
  ByHand::write(house.task(file_name(60)), text_of(60, 0));
  CHECK(tasks_of(house.store()) == 150);
  CHECK(house.seen_task(150).parent == 149);
}

TEST_CASE("Nesting.AFileThatWouldPushOthersTooDeepIsLeftOut") {
  BoardHouse house;
  write_chain(house, 90);
  for (int n = 201; n <= 220; ++n) ByHand::write(house.task(file_name(n)), text_of(n, n == 201 ? 0 : n - 1));
  CHECK(tasks_of(house.store()) == 110);
  ByHand::write(house.task(file_name(201)), text_of(201, 90));
  CHECK(tasks_of(house.store()) == 109);
  CHECK(house.has_task(220));
}

TEST_CASE("Nesting.FilesThatAreEachOthersParentsStopNobody") {
  BoardHouse house;
  ByHand::write(house.task(file_name(1)), text_of(1, 2));
  ByHand::write(house.task(file_name(2)), text_of(2, 1));
  ByHand::write(house.task(file_name(3)), text_of(3, 2));
  CHECK(tasks_of(house.store()) == 3);
  change_task(house.store(), 1, [](core::Task& task) { task.status = "done"; });
  CHECK(house.seen_task(1).stage == core::Stage::done);
}

TEST_CASE("Nesting.AnExaminationNamesFilesThatAreTooDeep") {
  BoardHouse house;
  write_chain(house, 102);
  auto const findings = store::examine_board(house.path(""), at_minute(0));
  CHECK(std::ranges::count_if(findings, [](auto const& f) {
          return f.kind == store::Finding::Kind::fault && f.about == "tasks/102-part.md";
        }) == 1);
}

TEST_CASE("Nesting.AnAttachedBoardOfThousandsOfNestedFilesIsServed") {
  AttachedHouse house;
  add_board(house.store(), a_board("own"));
  write_chain(house, 3'000);
  auto const board = house.attach();
  CHECK(house.comes_true([&] { return house.board(board).trouble.empty(); }));
  CHECK(house.find("SHOP-101"));
  CHECK_FALSE(house.find("SHOP-102"));
  CHECK_FALSE(house.find("SHOP-102"));
  CHECK_FALSE(house.find("SHOP-3000"));
  CHECK(add_task(house.store(), a_task().on("own")).id > 0);
  change_task(house.store(), house.keyed("SHOP-101").id, [](core::Task& task) { task.status = "done"; });
  CHECK(house.keyed("SHOP-101").stage == core::Stage::done);
}

TEST_CASE("Nesting.CountsOfSubTasksFollowTheFilesOfAnAttachedBoard") {
  AttachedHouse house;
  write_chain(house, 3);
  house.attach();
  auto const progress = [&](std::string const& key) {
    auto const id = house.keyed(key).id;
    return seen(house.store(), [&](store::Tx& tx) { return tx.progress(id); });
  };
  CHECK(progress("SHOP-1") == core::Progress{0, 1});
  ByHand::write(house.task(file_name(3)), text_of(3, 1));
  CHECK(house.comes_true([&] { return progress("SHOP-1") == core::Progress{0, 2}; }));
  CHECK_FALSE(progress("SHOP-2"));
}
