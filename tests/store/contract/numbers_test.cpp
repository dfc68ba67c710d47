#include <algorithm>
#include <map>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

namespace {

core::Date a_day() { return {std::chrono::floor<std::chrono::days>(at_minute(0))}; }

core::Event a_move(core::TaskId task, std::string from, std::string to, int minute) {
  auto event = an_event(core::EventKind::task_moved, task);
  event.from = std::move(from);
  event.to = std::move(to);
  event.ts = at_minute(minute);
  return event;
}

std::vector<std::string> targets(std::vector<store::ColumnMove> const& moves) {
  std::vector<std::string> out;
  for (auto const& move : moves) out.push_back(std::to_string(move.task) + move.to);
  return out;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("Tally.CountsByColumnAndFacets") {
  for_each_store([](StoreUnderTest& store) {
    auto const shop = add_board(*store);
    auto const yesterday = static_cast<int>(a_day().day.time_since_epoch().count()) - 1;
    add_task(*store, a_task().ready().tagged("api").tagged("web").due(yesterday));
    add_task(*store, a_task().ready().tagged("api").blocked());
    add_task(*store, a_task().in("done").due(yesterday).priority("high"));
    add_task(*store, a_task().in("backlog"));
    auto const tally = [&](store::Facet by) {
      Texts out;
      for (auto const& t :
           seen(*store, [&](auto& tx) { return tx.tally(shop, {"todo", "done"}, by, a_day()); })) {
        out.push_back(t.status + "/" + t.value + " " + std::to_string(t.count) + std::to_string(t.blocked) +
                      std::to_string(t.overdue));
      }
      std::ranges::sort(out);
      return out;
    };
    using enum store::Facet;
    CHECK(tally(status) == Texts{"done/done 100", "todo/todo 211"});
    CHECK(tally(priority) == Texts{"done/high 100", "todo/medium 211"});
    CHECK(tally(class_) == Texts{"done/ 100", "todo/ 211"});
    CHECK(tally(tag) == Texts{"done/ 100", "todo/api 211", "todo/web 101"});
  });
}

TEST_CASE("Finished.AreReadSinceATimeInTheirOrder") {
  for_each_store([](StoreUnderTest& store) {
    auto const shop = add_board(*store);
    for (int const minute : {30, 10, 20}) {
      auto const id = add_task(*store).id;
      change_task(*store, id, [&](core::Task& t) {
        t.status = "done";
        t.started = at_minute(1);
        t.completed = at_minute(minute);
        t.class_ = "expedite";
      });
    }
    add_task(*store);
    auto const finished = seen(*store, [&](auto& tx) { return tx.finished(shop, at_minute(20)); });
    REQUIRE(finished.size() == 2);
    CHECK(finished[0].id == 3);
    CHECK(finished[0].created == at_minute(0));
    CHECK(finished[0].started == at_minute(1));
    CHECK(finished[0].completed == at_minute(20));
    CHECK(finished[0].class_ == "expedite");
    CHECK(finished[1].id == 1);
  });
}

TEST_CASE("Started.AreReadLongestFirst") {
  for_each_store([](StoreUnderTest& store) {
    auto const shop = add_board(*store);
    for (int const minute : {3, 1, 2}) {
      auto const id = add_task(*store).id;
      change_task(*store, id, [&](core::Task& t) { t.started = at_minute(minute); });
    }
    change_task(*store, 2, [](core::Task& t) { t.completed = at_minute(9); });
    auto const started = seen(*store, [&](auto& tx) { return tx.longest_started(shop, 1); });
    REQUIRE(started.size() == 1);
    CHECK(started[0].id == 3);
    CHECK(seen(*store, [&](auto& tx) { return tx.longest_started(shop, 9).size(); }) == 2);
  });
}

TEST_CASE("Moves.AreEventsThatLeadIntoAColumn") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    keep(*store, [](store::Tx& tx) {
      tx.append(a_move(1, "", "backlog", 1));
      tx.append(a_move(2, "", "backlog", 2));
      tx.append(an_event(core::EventKind::task_edited, 1));
      tx.append(a_move(1, "backlog", "done", 3));
      auto elsewhere = a_move(3, "", "backlog", 4);
      elsewhere.board = "other";
      tx.append(elsewhere);
    });
    store->read([](store::Tx& tx) {
      std::map<std::string, std::int64_t> moves;
      for (auto const& total : tx.move_totals(tx.board("shop")->id, at_minute(2))) moves[total.to] += total.n;
      CHECK(moves == std::map<std::string, std::int64_t>{{"backlog", 2}, {"done", 1}});
      CHECK(targets(tx.moves_of({1, 3})) == Texts{"1backlog", "1done", "3backlog"});
      auto const move = tx.moves_of({1}).at(1);
      CHECK(move.at == at_minute(3));
      CHECK(move.kind == core::EventKind::task_moved);
      CHECK(move.from == "backlog");
    });
  });
}

TEST_CASE("FormerColumns.TellWhatTheirNamesMeantAndUntilWhen") {
  for_each_store([](StoreUnderTest& store) {
    auto const former = [](std::string name, std::string_view stage, int minute) {
      auto event = an_event(core::EventKind::board_changed, 0);
      event.task.reset();
      event.ts = at_minute(minute);
      event.from = std::move(name);
      event.to = "other";
      event.data = R"({"stage":")" + std::string{stage} + "\"}";
      return event;
    };
    keep(*store, [&](store::Tx& tx) {
      tx.append(a_move(1, "", "backlog", 1));
      tx.append(former("todo", "ready", 2));
      auto elsewhere = former("todo", "active", 2);
      elsewhere.board = "other";
      tx.append(elsewhere);
      tx.append(former("check", "review", 3));
      tx.append(former("doing", "active", 4));
    });
    store->read([](store::Tx& tx) {
      CHECK(tx.former_columns("shop", at_minute(2)).size() == 3);
      auto const found = tx.former_columns("shop", at_minute(3));
      REQUIRE(found.size() == 2);
      CHECK(found[0].name == "check");
      CHECK(found[0].stage == core::Stage::review);
      CHECK(found[0].until == at_minute(3));
      CHECK(found[1].name == "doing");
    });
  });
}

TEST_CASE("Dependencies.OfUnfinishedTasksAreReadInPairs") {
  for_each_store([](StoreUnderTest& store) {
    auto const shop = add_board(*store);
    for (int n = 0; n < 2; ++n) add_task(*store);
    add_task(*store, a_task().waiting_for(1).waiting_for(2));
    add_task(*store, a_task().in("done").waiting_for(1));
    using Pairs = std::vector<std::pair<core::TaskId, core::TaskId>>;
    CHECK(seen(*store, [&](auto& tx) { return tx.open_dependencies(shop, 9); }) == Pairs{{3, 1}, {3, 2}});
    CHECK(seen(*store, [&](auto& tx) { return tx.open_dependencies(shop, 1).size(); }) == 1);
  });
}
