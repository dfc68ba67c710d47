#include <algorithm>

#include <doctest/doctest.h>

#include "store/contract/examination.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/attached_test_board.hpp"
#include "store/markdown/test_board.hpp"

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
template <class TestApp>
void write_chain(TestApp const& app, int length) {
  for (int n = 1; n <= length; ++n) ByHand::write(app.task(file_name(n)), text_of(n, n - 1));
}

std::int64_t tasks_of(store::Store& store) {
  return seen(store, [](store::Tx& tx) { return tx.count({}); });
}

}  // namespace

TEST_CASE("Nesting.FilesDeeperThan100AreLeftOutAndTheOthersShown") {
  TestBoard app;
  write_chain(app, 300);
  ByHand::write(app.task("900-free.md"), text_of(900, 0));
  CHECK(app.has_task(900));
  CHECK(app.has_task(101));
  CHECK_THROWS_WITH(app.has_task(102),
                    "102-part.md: its parents are nested deeper than 100; name a parent further up");
  CHECK_THROWS(app.has_task(300));
  CHECK(app.warned_of("102-part.md: its parents are nested deeper than 100"));
  app.lose_index();
  CHECK(tasks_of(app.store()) == 102);
}

TEST_CASE("Nesting.AShorterChainBringsItsFilesBack") {
  TestBoard app;
  write_chain(app, 150);
  CHECK(tasks_of(app.store()) == 101);
  ByHand::write(app.task(file_name(60)), text_of(60, 0));
  CHECK(tasks_of(app.store()) == 150);
  CHECK(app.seen_task(150).parent == 149);
}

TEST_CASE("Nesting.AFileThatWouldPushOthersTooDeepIsLeftOut") {
  TestBoard app;
  write_chain(app, 90);
  for (int n = 201; n <= 220; ++n) ByHand::write(app.task(file_name(n)), text_of(n, n == 201 ? 0 : n - 1));
  CHECK(tasks_of(app.store()) == 110);
  ByHand::write(app.task(file_name(201)), text_of(201, 90));
  CHECK(tasks_of(app.store()) == 109);
  CHECK(app.has_task(220));
}

TEST_CASE("Nesting.FilesThatAreEachOthersParentsStopNobody") {
  TestBoard app;
  ByHand::write(app.task(file_name(1)), text_of(1, 2));
  ByHand::write(app.task(file_name(2)), text_of(2, 1));
  ByHand::write(app.task(file_name(3)), text_of(3, 2));
  CHECK(tasks_of(app.store()) == 3);
  change_task(app.store(), 1, [](core::Task& task) { task.status = "done"; });
  CHECK(app.seen_task(1).stage == core::Stage::done);
}

TEST_CASE("Nesting.AnExaminationNamesFilesThatAreTooDeep") {
  TestBoard app;
  write_chain(app, 102);
  auto const findings = store::examine_board(app.path(""), at_minute(0));
  CHECK(std::ranges::count_if(findings, [](auto const& f) {
          return f.kind == store::Finding::Kind::fault && f.about == "tasks/102-part.md";
        }) == 1);
}

TEST_CASE("Nesting.AnAttachedBoardOfThousandsOfNestedFilesIsServed") {
  AttachedTestBoard app;
  add_board(app.store(), a_board("own"));
  write_chain(app, 3'000);
  auto const board = app.attach();
  CHECK(app.comes_true([&] { return app.board(board).trouble.empty(); }));
  CHECK(app.find("SHOP-101"));
  CHECK_FALSE(app.find("SHOP-102"));
  CHECK_FALSE(app.find("SHOP-102"));
  CHECK_FALSE(app.find("SHOP-3000"));
  CHECK(add_task(app.store(), a_task().on("own")).id > 0);
  change_task(app.store(), app.keyed("SHOP-101").id, [](core::Task& task) { task.status = "done"; });
  CHECK(app.keyed("SHOP-101").stage == core::Stage::done);
}

TEST_CASE("Nesting.CountsOfSubTasksFollowTheFilesOfAnAttachedBoard") {
  AttachedTestBoard app;
  write_chain(app, 3);
  app.attach();
  auto const progress = [&](std::string const& key) {
    auto const id = app.keyed(key).id;
    return seen(app.store(), [&](store::Tx& tx) { return tx.progress(id); });
  };
  CHECK(progress("SHOP-1") == core::Progress{0, 1});
  ByHand::write(app.task(file_name(3)), text_of(3, 1));
  CHECK(app.comes_true([&] { return progress("SHOP-1") == core::Progress{0, 2}; }));
  CHECK_FALSE(progress("SHOP-2"));
}
