#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

namespace {

core::Task a_full_task() {
  core::Task task = a_task("Everything set")
                        .ready()
                        .of_class("fixed-date")
                        .assigned_to("ann")
                        .for_role("coder")
                        .tagged("qa")
                        .tagged("ü \"quoted\"")
                        .due(20'000)
                        .touching("src/**")
                        .not_before(at_minute(3))
                        .blocked()
                        .with_body("A *brief*");
  task.started = at_minute(1);
  task.completed = at_minute(2);
  for (auto const& field : core::kPlainFields) task.*field.text = "a \"" + std::string{field.name} + "\"";
  task.claimed_by = "bob";
  task.claimed_at = at_minute(4);
  task.claim_expires = at_minute(64);
  task.epoch = 7;
  task.next_tasks = {{"QA for {{parent.key}}",
                      "",
                      "qa",
                      "",
                      "",
                      "",
                      {"x"},
                      "",
                      "",
                      {{"Then", "", "", "", "", "", {}, "", "", {}}}}};
  task.checks = {"lint"};
  task.review = core::ReviewRule::none;
  task.approved = true;
  task.source = "cli";
  task.created_by = "user:ann";
  task.attempt = 2;
  task.max_attempts = 5;
  task.run = core::RunId{12};
  task.result = "It works";
  task.flag = "no evidence";
  task.question = core::Question{"May I run make?", {"Allow", "Deny"}, "worker:dev", at_minute(6), 12};
  task.rev = 4;
  task.state = {0, 3, at_minute(5), "doing", "exit 1", true, true, true, 2, 41, "dev", at_minute(9)};
  task.autocomplete = true;
  return task;
}

}  // namespace

TEST_CASE("Tasks.AreReadAsTheyWereStored") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store, a_board().prefixed("WQ"));
    auto const added = add_task(*store, a_full_task());
    CHECK(added.id == 1);
    CHECK(added.key == "WQ-1");
    CHECK_FALSE(added.rank.empty());
    CHECK(added.stage == core::Stage::ready);

    auto expected = added;
    expected.body.clear();
    auto const read = seen(*store, [](auto& tx) { return *tx.task(1); });
    CHECK(read == expected);
    CHECK(seen(*store, [](auto& tx) { return *tx.body(1); }) == "A *brief*");
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.task(2).has_value(); }));
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.body(2).has_value(); }));
  });
}

TEST_CASE("Tasks.KeepEveryKindOfChange") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const first = add_task(*store);
    auto const whole = change_task(*store, first.id, [](core::Task& task) {
      auto const id = task.id;
      auto const rank = task.rank;
      task = a_full_task();
      task.id = id;
      task.rank = rank;
      task.body.clear();
      task.stage = core::Stage::ready;
    });
    CHECK(seen(*store, [](auto& tx) { return *tx.task(1); }) == whole);

    auto const moved = change_task(*store, first.id, [](core::Task& task) {
      task.status = "doing";
      task.stage = core::Stage::active;
      task.result = "Better";
      task.state.stopping = false;
    });
    CHECK(seen(*store, [](auto& tx) { return *tx.task(1); }) == moved);

    auto const renewed =
        change_task(*store, first.id, [](core::Task& task) { task.claim_expires = at_minute(99); });
    CHECK(seen(*store, [](auto& tx) { return *tx.task(1); }) == renewed);
  });
}

TEST_CASE("Tasks.TakeTheirStageFromTheColumn") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store, a_task().in("done"));
    CHECK(task.stage == core::Stage::done);
    change_task(*store, task.id, [](core::Task& t) { t.status = "doing"; });
    CHECK(seen(*store, [&](auto& tx) { return tx.task(task.id)->stage; }) == core::Stage::active);
  });
}

TEST_CASE("Tasks.KeepTheirBodyUnlessItIsPut") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store, a_task().with_body("old"));
    auto const body = [&] { return seen(*store, [&](auto& tx) { return *tx.body(task.id); }); };
    change_task(*store, task.id, [](core::Task& t) { t.title = "New title"; });
    CHECK(body() == "old");
    change_task(*store, task.id, [](core::Task& t) { t.body = "new"; }, true);
    CHECK(body() == "new");
    change_task(*store, task.id, [](core::Task& t) { t.body.clear(); }, true);
    CHECK(body().empty());
  });
}

TEST_CASE("Tasks.AreFoundByKeyWithoutRegardToCase") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store, a_board().prefixed("WQ"));
    add_task(*store);
    auto const found = [&](std::string_view key) {
      return seen(*store, [&](auto& tx) { return tx.task_with_key(key); });
    };
    CHECK(found("wq-1") == 1);
    CHECK_FALSE(found("XQ-1"));
    CHECK_FALSE(found("WQ-2"));
    CHECK_FALSE(found("WQ-"));
    CHECK_FALSE(found("WQ-1x"));
    CHECK_FALSE(found("1"));
  });
}

TEST_CASE("Tasks.KeepAGivenNumberAndGoOnBehindIt") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    core::Task imported = a_task();
    imported.id = 41;
    CHECK(add_task(*store, imported).id == 41);
    CHECK(add_task(*store).id == 42);
  });
}

TEST_CASE("Links.LeadToDependentsAndChildren") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const base = add_task(*store).id;
    auto const one = add_task(*store, a_task().waiting_for(base)).id;
    auto const two = add_task(*store, a_task().waiting_for(base).child_of(base)).id;
    using LinkedIds = std::vector<core::TaskId>;
    CHECK(seen(*store, [&](auto& tx) { return tx.dependents(base); }) == LinkedIds{one, two});
    CHECK(seen(*store, [&](auto& tx) { return tx.children(base); }) == LinkedIds{two});
    change_task(*store, one, [](core::Task& t) { t.depends_on.clear(); });
    CHECK(seen(*store, [&](auto& tx) { return tx.dependents(base); }) == LinkedIds{two});
  });
}

TEST_CASE("Claims.OfAHolderCountWhileTheyLive") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const live = add_task(*store, a_task().in("doing").claimed_by("bob", at_minute(10))).id;
    auto const endless = add_task(*store, a_task().ready().claimed_by("bob", {})).id;
    add_task(*store, a_task().in("check").claimed_by("bob", at_minute(10)));
    add_task(*store, a_task().in("doing").claimed_by("bob", at_minute(5)));
    add_task(*store, a_task().in("doing").claimed_by("eve", at_minute(10)));
    CHECK(seen(*store, [](auto& tx) { return tx.claims_of("bob", at_minute(5)); }) ==
          std::vector<core::TaskId>{live, endless});
  });
}

TEST_CASE("Claims.ThatEndedArePagedByTheirEnd") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    for (int const end : {9, 3, 5, 3})
      add_task(*store, a_task().in("doing").claimed_by("bob", at_minute(end)));
    add_task(*store, a_task().in("doing").claimed_by("bob", {}));
    std::vector<core::TaskId> order;
    std::pair<core::Instant, core::TaskId> after{};
    for (;;) {
      auto const page = seen(*store, [&](auto& tx) { return tx.expired(at_minute(5), after, 2); });
      if (page.empty()) break;
      for (auto const& task : page) order.push_back(task.id);
      after = {*page.back().claim_expires, page.back().id};
    }
    CHECK(order == std::vector<core::TaskId>{2, 4, 3});
  });
}

TEST_CASE("Claims.ThatAreSettledAreNotOfferedUntilSomethingAboutThemChanges") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    for (auto const* holder : {"bob", "eve"})
      add_task(*store, a_task().in("doing").claimed_by(holder, at_minute(3)));
    auto const ended = [&] {
      return seen(*store, [](store::Tx& tx) { return tx.expired(at_minute(5), {}, 10).size(); });
    };
    auto const settle = [&] {
      keep(*store, [](store::Tx& tx) {
        for (auto const id : {core::TaskId{1}, core::TaskId{2}}) tx.settle_claim(id);
      });
    };
    CHECK(ended() == 2);
    settle();
    CHECK(ended() == 0);
    change_task(*store, 1, [](core::Task& task) { ++task.state.notes; });
    CHECK(ended() == 1);
    settle();
    core::Worker eve;
    eve.name = "eve";
    keep(*store, [&](store::Tx& tx) { tx.put(eve); });
    CHECK(ended() == 1);
    settle();
    if (!store.holds_many_boards()) return;
    keep(*store, [&](store::Tx& tx) {
      auto strict = *tx.board(board);
      strict.workflow = core::Workflow::strict;
      tx.put(strict);
    });
    CHECK(ended() == 2);
  });
}

TEST_CASE("Files.AreHeldByTasksInHands") {
  for_each_store([](StoreUnderTest& store) {
    auto const board = add_board(*store);
    auto const held = add_task(*store, a_task().in("doing").touching("src/**")).id;
    auto const claimed = add_task(*store, a_task().ready().claimed_by("bob", {}).touching("docs/*")).id;
    add_task(*store, a_task().ready().touching("src/**"));
    add_task(*store, a_task().in("doing"));
    add_task(*store, a_task().in("done").touching("src/**"));
    std::vector<core::TaskId> ids;
    for (auto const& task : seen(*store, [&](auto& tx) { return tx.touching(board); }))
      ids.push_back(task.id);
    CHECK(ids == std::vector<core::TaskId>{held, claimed});
  });
}

TEST_CASE("Ranks.BesideATaskStayWithinItsEquals") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const b = add_task(*store, a_task().ready().ranked("b"));
    auto const d = add_task(*store, a_task().ready().ranked("d"));
    add_task(*store, a_task().ready().ranked("c").priority("high"));
    auto const beside = [&](core::Task const& task, core::TaskId but, store::Side side) {
      return seen(*store, [&](auto& tx) { return tx.rank_beside(task, but, side); });
    };
    CHECK(beside(b, 0, store::Side::after) == "d");
    CHECK(beside(d, 0, store::Side::before) == "b");
    CHECK(beside(b, d.id, store::Side::after).empty());
    CHECK(beside(b, 0, store::Side::before).empty());
  });
}
