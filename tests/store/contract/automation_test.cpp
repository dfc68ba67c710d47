#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;

namespace {

core::Automation an_automation(std::string name = "planner", std::string board = "shop") {
  core::Automation out;
  out.name = std::move(name);
  out.board = std::move(board);
  out.cron = "0 8 * * MON-FRI";
  out.tz = "Europe/Berlin";
  out.template_.title = "Plan the day";
  out.template_.tags = {"plan"};
  out.template_.next_tasks.emplace_back().title = "Look back on {{parent.key}}";
  out.next_due = at_minute(7);
  out.created = at_minute(1);
  out.created_by = "user:ann";
  return out;
}

auto all(StoreUnderTest& store) {
  return seen(*store, [](auto& tx) { return tx.automations(); });
}

}  // namespace

TEST_CASE("Automations.ComeBackAsTheyWerePut") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto automation = an_automation();
    automation.id = keep(*store, [&](auto& tx) { return tx.add(automation); });
    CHECK(all(store) == std::vector{automation});
    automation.fired = 3;
    automation.last_fired = at_minute(9);
    automation.last_task = core::TaskId{42};
    automation.name = "dawn";
    automation.kind = core::AutomationKind::queue_dry;
    automation.after = std::chrono::minutes{10};
    keep(*store, [&](auto& tx) { tx.put(automation); });
    if (store.lasts()) store.reopen();
    CHECK(seen(*store, [&](auto& tx) { return tx.automation(automation.id); }) == automation);
    CHECK_FALSE(seen(*store, [&](auto& tx) { return tx.automation(core::AutomationId{automation.id + 1}); }));
  });
}

TEST_CASE("Automations.AreListedByNumberAndNoNumberIsUsedAgain") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    keep(*store, [](auto& tx) { tx.add(an_automation("b")), tx.add(an_automation("a")); });
    CHECK(all(store).at(0).name == "b");
    CHECK(all(store).at(1).id == 2);
    keep(*store, [](auto& tx) { tx.remove_automation(2); });
    CHECK(keep(*store, [](auto& tx) { return tx.add(an_automation("c")); }) == 3);
    CHECK(all(store).size() == 2);
  });
}

TEST_CASE("Automations.HaveNamesOfTheirOwn") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    keep(*store, [](auto& tx) { tx.add(an_automation()); });
    CHECK_THROWS_AS(keep(*store, [](auto& tx) { tx.add(an_automation()); }), store::StoreError);
    CHECK(all(store).size() == 1);
  });
}

TEST_CASE("Automations.GoWithTheirBoardAndFollowItsName") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    add_board(*store);
    auto const other = add_board(*store, a_board("other"));
    keep(*store, [](auto& tx) { tx.add(an_automation("a")), tx.add(an_automation("b", "other")); });
    keep(*store, [&](auto& tx) {
      auto board = *tx.board(other);
      board.name = "store";
      tx.put(board);
    });
    CHECK(all(store).at(1).board == "store");
    keep(*store, [&](auto& tx) { tx.remove_board(other); });
    CHECK(all(store).size() == 1);
  });
}

TEST_CASE("Automations.OfADiscardedUnitWereNeverThere") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    store::write(*store, [](store::Tx& tx) {
      tx.add(an_automation());
      return store::Outcome::rollback;
    });
    CHECK(all(store).empty());
  });
}

TEST_CASE("Columns.RememberWhenATaskLastCameOrLeft") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const board = a_board();
    add_board(*store, board);
    add_board(*store, a_board("other"));
    auto const touched = [&](std::vector<std::string> const& columns) {
      return seen(*store, [&](auto& tx) { return tx.last_touched(*tx.board("shop"), columns); });
    };
    CHECK_FALSE(touched({"todo"}));
    auto const moved = [&](int minute, std::string from, std::string to, std::string on = "shop") {
      auto event = an_event(core::EventKind::task_moved, 1);
      event.ts = at_minute(minute);
      event.from = std::move(from);
      event.to = std::move(to);
      event.board = std::move(on);
      keep(*store, [&](auto& tx) { tx.append(event); });
    };
    moved(1, "", "todo");
    moved(2, "todo", "done");
    moved(3, "backlog", "review");
    moved(4, "todo", "done", "other");
    keep(*store, [](auto& tx) { tx.append(an_event(core::EventKind::task_noted, 1)); });
    CHECK(touched({"todo"}) == at_minute(2));
    CHECK(touched({"todo", "review"}) == at_minute(3));
    CHECK_FALSE(touched({"elsewhere"}));
    CHECK_FALSE(touched({}));
  });
}
