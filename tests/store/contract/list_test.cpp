#include <algorithm>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;
using store::TaskFilter;
using store::TaskOrder;

namespace {

using Ids = std::vector<core::TaskId>;

Ids ids_of(std::vector<core::Task> const& tasks) {
  Ids out;
  for (auto const& task : tasks) out.push_back(task.id);
  return out;
}

Ids listed(store::Store& store, TaskFilter const& filter, TaskOrder order = TaskOrder::id,
           bool reverse = false) {
  auto const page = seen(store, [&](auto& tx) { return *tx.list(filter, {100, {}, order, reverse}); });
  CHECK(seen(store, [&](auto& tx) { return tx.count(filter); }) ==
        static_cast<std::int64_t>(page.tasks.size()));
  return ids_of(page.tasks);
}

}  // namespace

TEST_CASE("Lists.NarrowByEveryFilter") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const shop = add_board(*store);
    add_board(*store, a_board("other"));
    add_task(*store,
             a_task("Fix the Cart").ready().priority("high").tagged("Payment").with_body("50% off_er"));
    add_task(*store, a_task().in("doing").assigned_to("ann").for_role("qa").claimed_by("bob", at_minute(5)));
    add_task(*store, a_task().blocked().of_class("expedite").child_of(1).waiting_for(1));
    add_task(*store, a_task().in("archived"));
    add_task(*store, a_task().on("other").of_class("standard"));
    TaskFilter filter;
    CHECK(listed(*store, filter) == Ids{1, 2, 3, 5});
    auto const check = [&](auto change, Ids const& expected) {
      TaskFilter f;
      f.now = at_minute(1);
      change(f);
      CHECK(listed(*store, f) == expected);
    };
    check([&](auto& f) { f.board = shop; }, {1, 2, 3});
    check([](auto& f) { f.archived = true; }, {1, 2, 3, 4, 5});
    check([](auto& f) { f.statuses = {"todo", "archived"}; }, {1, 4});
    check([](auto& f) { f.statuses = {"no such"}; }, {});
    check([](auto& f) { f.stages = {core::Stage::active, core::Stage::archived}; }, {2, 4});
    check([](auto& f) { f.priorities = {"high", "low"}; }, {1});
    check([](auto& f) { f.assignee = "ann"; }, {2});
    check([](auto& f) { f.role = "qa"; }, {2});
    check([](auto& f) { f.tag = "Payment"; }, {1});
    check([](auto& f) { f.class_ = "expedite"; }, {3});
    check([](auto& f) { f.class_ = "standard"; }, {1, 2, 5});
    check([](auto& f) { f.claimed_by = "bob"; }, {2});
    check([](auto& f) { f.text = "cART"; }, {1});
    check([](auto& f) { f.text = "payMENT"; }, {1});
    check([](auto& f) { f.text = "50% OFF_"; }, {1});
    check([](auto& f) { f.text = "50_"; }, {});
    check([](auto& f) { f.parent = core::TaskId{1}; }, {3});
    check([](auto& f) { f.claimed = true; }, {2});
    check([](auto& f) { f.claimed = false; }, {1, 3, 5});
    check([](auto& f) { f.claimed = true, f.now = at_minute(5); }, {});
    check([](auto& f) { f.blocked = true; }, {3});
    check([](auto& f) { f.open_deps = true; }, {3});
    check([](auto& f) { f.open_deps = false; }, {1, 2, 5});
    check([](auto& f) { f.role = "qa", f.tag = "Payment"; }, {});
  });
}

TEST_CASE("Lists.StandInEveryOrderAndItsMirror") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    add_task(*store, a_task("b").in("done").priority("low").due(5));
    add_task(*store, a_task("a").in("backlog").priority("critical"));
    add_task(*store, a_task("b").in("todo").priority("low").due(3).of_class("expedite"));
    auto const check = [&](TaskOrder order, Ids expected) {
      CHECK(listed(*store, {}, order) == expected);
      std::ranges::reverse(expected);
      CHECK(listed(*store, {}, order, true) == expected);
    };
    check(TaskOrder::id, {1, 2, 3});
    check(TaskOrder::title, {2, 1, 3});
    check(TaskOrder::status, {2, 3, 1});
    check(TaskOrder::priority, {1, 3, 2});
    check(TaskOrder::created, {1, 2, 3});
    check(TaskOrder::updated, {1, 2, 3});
    check(TaskOrder::due, {3, 1, 2});
    check(TaskOrder::pick, {3, 2, 1});
  });
}

TEST_CASE("Lists.GoOnWhereAPageEndedWhateverIsAdded") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    for (int n = 0; n < 25; ++n) add_task(*store, a_task("task " + std::to_string(n % 7)).due(n % 4));
    for (auto const order : {TaskOrder::id, TaskOrder::title, TaskOrder::status, TaskOrder::priority,
                             TaskOrder::created, TaskOrder::updated, TaskOrder::due, TaskOrder::pick})
      for (bool const reverse : {false, true}) {
        auto const whole = listed(*store, {}, order, reverse);
        Ids paged;
        store::Page page{4, {}, order, reverse};
        do {
          auto const next = seen(*store, [&](auto& tx) { return *tx.list({}, page); });
          for (auto const& task : next.tasks) paged.push_back(task.id);
          page.cursor = next.next;
          if (paged.size() == 8) add_task(*store, a_task("task 3").due(1));
        } while (!page.cursor.empty());
        for (auto const id : whole) CHECK(std::ranges::count(paged, id) == 1);
      }
  });
}

TEST_CASE("Lists.RefuseForeignCursors") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    for (int n = 0; n < 3; ++n) add_task(*store);
    auto const by_id =
        seen(*store, [](auto& tx) { return tx.list({}, {1, {}, TaskOrder::id, false})->next; });
    for (auto const& cursor : {by_id, std::string{"zz"}, std::string{"5b5d"}, std::string{"x"}}) {
      auto const page =
          seen(*store, [&](auto& tx) { return tx.list({}, {1, cursor, TaskOrder::title, false}); });
      REQUIRE_FALSE(page.has_value());
      CHECK(page.error().code == core::Code::kInvalidInput);
      CHECK(page.error().field == "cursor");
    }
  });
}

TEST_CASE("Search.FindsWordsInTitleBodyAndNotes") {
  for_each_store([](StoreUnderTest& store) {
    auto const shop = add_board(*store);
    auto const one = add_task(*store, a_task("Payments fail").with_body("The café page breaks")).id;
    auto const two = add_task(*store, a_task("Unrelated")).id;
    auto const old = add_task(*store, a_task("Old payment").in("archived")).id;
    auto event = an_event(core::EventKind::task_noted, two);
    event.data = R"({"text":"saw a \"flaky\" timeout"})";
    keep(*store, [&](auto& tx) { tx.append(event); });
    auto const search = [&](core::SearchQuery const& query) {
      Ids out;
      auto const page = seen(*store, [&](auto& tx) { return tx.search(query, at_minute(1), 10, 0); });
      for (auto const& hit : page.hits) out.push_back(hit.task.id);
      return out;
    };
    auto const found = [&](std::string const& text) { return search({{{text, true, false}}, {}}); };
    CHECK(found("payment") == Ids{one});
    CHECK(found("CAFE") == Ids{one});
    CHECK(search({{{"cafe", false, false}, {"breaking", false, false}}, {}}) == Ids{one});
    CHECK(search({{{"fail", false, false}, {"cafe", false, true}}, {}}).empty());
    CHECK(found("page breaks") == Ids{one});
    CHECK(found("breaks page").empty());
    CHECK(found("timeout") == Ids{two});
    CHECK(found("old").empty());
    core::SearchCondition const archived{core::SearchField::is, {"archived"}, false, 0};
    CHECK(search({{{"old", false, false}}, {archived}}) == Ids{old});
    CHECK(search({{}, {archived}}) == Ids{old});
    CHECK(search({{}, {{core::SearchField::board, {std::to_string(shop)}, false, 0}}}) == Ids{one, two});
    for (auto const* odd : {"", "\"", "*", "AND", "NEAR(", "title:", "^x -y", "'; DROP", "a\"b"})
      CHECK_NOTHROW(found(odd));

    change_task(*store, one, [](core::Task& t) { t.title = "Refunds fail", t.body = "Elsewhere"; }, true);
    CHECK(found("payment").empty());
    auto const page = seen(
        *store, [&](auto& tx) { return tx.search({{{"refund", false, false}}, {}}, at_minute(1), 10, 0); });
    REQUIRE(page.hits.size() == 1);
    CHECK(page.hits[0].snippet.find("Refunds") != std::string::npos);
  });
}

TEST_CASE("Search.SeesTheUnitsOwnTextsAndForgetsThoseOfUndoneUnits") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    add_task(*store, a_task("walnut"));
    auto const hits = [](store::Tx& tx, std::string word) {
      return tx.search({{{std::move(word), false, false}}, {}}, at_minute(1), 10, 0).hits.size();
    };
    std::pair<std::size_t, std::size_t> found;
    store::write(*store, [&](store::Tx& tx) {
      tx.add(a_task("hazelnut"));
      found = {hits(tx, "hazelnut"), hits(tx, "walnut")};
      return store::Outcome::rollback;
    });
    CHECK(found == std::pair<std::size_t, std::size_t>{1, 1});
    CHECK(seen(*store, [&](auto& tx) { return hits(tx, "hazelnut"); }) == 0);
    CHECK(seen(*store, [&](auto& tx) { return hits(tx, "walnut"); }) == 1);
  });
}

TEST_CASE("Search.FindsEachOfHundredsOfTextsAfterTheyChanged") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const found = [&](std::string const& word) {
      return seen(*store, [&](auto& tx) {
        return tx.search({{{word, false, false}}, {}}, at_minute(1), 1000, 0).hits.size();
      });
    };
    Ids nails;
    keep(*store, [&](auto& tx) {
      for (int n = 0; n < 300; ++n) nails.push_back(tx.add(a_task("nail")).id);
    });
    CHECK(found("nail") == 300);
    keep(*store, [&](auto& tx) {
      for (auto const id : nails) {
        auto task = *tx.task(id);
        task.rev = core::next(task.rev), task.title = "screw";
        tx.put(task);
      }
    });
    auto const last = add_task(*store, a_task("nail")).id;
    change_task(*store, last, [](core::Task& t) { t.title = "bolt"; });
    CHECK(found("nail") == 0);
    CHECK(found("screw") == 300);
    CHECK(found("bolt") == 1);
  });
}
