#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Boards.AreFoundByNameAndNumber") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store, a_board("Web-Shop"));
    store->read([&](store::Tx& tx) {
      REQUIRE(tx.board("Web-Shop"));
      CHECK(tx.board("webshop") == tx.board(id));
      CHECK(tx.board(std::to_string(id)) == tx.board(id));
      CHECK_FALSE(tx.board("other"));
      CHECK_FALSE(tx.board(core::BoardId{id + 1}));
      CHECK(tx.boards().size() == 1);
      CHECK(tx.board(id)->columns.size() == 6);
    });
  });
}

TEST_CASE("Boards.SharedNamesAreRefused") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    CHECK_THROWS_AS(add_board(*store), store::StoreError);
    CHECK(seen(*store, [](auto& tx) { return tx.boards().size(); }) == 1);
  });
}

TEST_CASE("Boards.WithTasksStay") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const full = add_board(*store);
    auto const empty = add_board(*store, a_board("empty"));
    add_task(*store);
    CHECK_THROWS(keep(*store, [&](auto& tx) { tx.remove_board(full); }));
    keep(*store, [&](auto& tx) { tx.remove_board(empty); });
    CHECK(seen(*store, [](auto& tx) { return tx.boards().size(); }) == 1);
  });
}

TEST_CASE("Boards.ThatAreRenamedTakeTasksAndHistoryAlong") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const task = add_task(*store).id;
    keep(*store, [](auto& tx) { tx.append(an_event()); });
    keep(*store, [&](auto& tx) {
      auto board = *tx.board(id);
      board.name = "store";
      tx.put(board);
    });
    CHECK(seen(*store, [&](auto& tx) { return tx.task(task)->board; }) == "store");
    CHECK(seen(*store, [](auto& tx) { return tx.events({0, {"store"}, {}, {}, {}, 10, false}).size(); }) ==
          1);
  });
}

TEST_CASE("Boards.ThatChangeTheirColumnsChangeStageAndLoad") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    auto const task = add_task(*store, a_task().in("check")).id;
    CHECK(seen(*store, [&](auto& tx) { return tx.load(id).classes["standard"]; }) == 1);
    keep(*store, [&](auto& tx) {
      auto board = *tx.board(id);
      board.columns[3].stage = core::Stage::done;
      tx.put(board);
    });
    CHECK(seen(*store, [&](auto& tx) { return tx.task(task)->stage; }) == core::Stage::done);
    CHECK(seen(*store, [&](auto& tx) { return tx.load(id).classes["standard"]; }) == 0);
    CHECK(seen(*store, [&](auto& tx) { return tx.load(id).columns["check"]; }) == 1);
  });
}

TEST_CASE("Boards.ThatAreUndoneAreForgotten") {
  for_each_store([](StoreUnderTest& store) {
    if (!store.holds_many_boards()) return;
    auto const id = add_board(*store);
    store::write(*store, [&](store::Tx& tx) {
      auto board = *tx.board(id);
      board.title = "Changed";
      tx.put(board);
      core::Board const fresh = a_board("new");
      tx.add(fresh);
      return store::Outcome::rollback;
    });
    keep(*store, [&](auto& tx) {
      CHECK(tx.board(id)->title.empty());
      CHECK_FALSE(tx.board("new"));
    });
  });
}

TEST_CASE("Boards.OfADirectoryAreOne") {
  for_each_store([](StoreUnderTest& store) {
    if (store.holds_many_boards()) return;
    auto const id = add_board(*store);
    CHECK_THROWS_AS(add_board(*store, a_board("other")), store::StoreError);
    CHECK_THROWS_AS(keep(*store, [&](auto& tx) { tx.remove_board(id); }), store::StoreError);
    CHECK(seen(*store, [](auto& tx) { return tx.boards().size(); }) == 1);
  });
}

TEST_CASE("Loads.EqualARecountAfterRandomWork") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    std::uint64_t seed = 42;
    auto const random = [&](std::uint64_t below) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      return static_cast<std::size_t>((seed >> 33U) % below);
    };
    std::string const columns[] = {"backlog", "todo", "doing", "done", "failed", "archived"};
    std::string const classes[] = {"", "expedite", "standard", "no such class"};
    for (int step = 0; step < 300; ++step) {
      auto const verdict = random(4) == 0 ? store::Outcome::rollback : store::Outcome::commit;
      store::write(*store, [&](store::Tx& tx) {
        core::Task task = a_task().in(columns[random(6)]).of_class(classes[random(4)]);
        if (auto const old = random(2) ? tx.task(core::TaskId{static_cast<int>(random(50))}) : std::nullopt) {
          auto changed = *old;
          changed.status = task.status;
          changed.class_ = task.class_;
          tx.put(changed);
        } else {
          tx.add(task);
        }
        return verdict;
      });
    }
    store->read([&](store::Tx& tx) {
      core::Load recount;
      store::TaskFilter all;
      all.archived = true;
      auto const listed = tx.list(all, {1000, {}, store::TaskOrder::id, false});
      for (auto const& task : listed->tasks) {
        ++recount.columns[task.status];
        if (!core::is_finished(task.stage)) ++recount.classes[task.class_.empty() ? "standard" : task.class_];
      }
      CHECK(tx.load(id).columns == recount.columns);
      CHECK(tx.load(id).classes == recount.classes);
    });
  });
}

TEST_CASE("Workers.AreKeptByName") {
  for_each_store([](StoreUnderTest& store) {
    core::Worker worker;
    worker.name = "dev";
    worker.role = "coder";
    worker.boards = {"shop"};
    keep(*store, [&](auto& tx) { tx.put(worker); });
    store->read([&](store::Tx& tx) {
      REQUIRE(tx.worker("dev"));
      CHECK(tx.worker("dev")->role == "coder");
      CHECK(tx.worker("dev")->boards == std::vector<std::string>{"shop"});
      CHECK(tx.workers().size() == 1);
    });
    keep(*store, [](auto& tx) { tx.remove_worker("dev"); });
    CHECK_FALSE(seen(*store, [](auto& tx) { return tx.worker("dev") != nullptr; }));
  });
}

TEST_CASE("Boards.KeepWhatIsSetAboutTheirRepository") {
  for_each_store([](StoreUnderTest& store) {
    auto const id = add_board(*store);
    keep(*store, [&](auto& tx) {
      auto board = *tx.board(id);
      board.repo = "/srv/shop";
      board.branch = "develop";
      board.branch_prefix = "agents";
      board.folder = "packages/app";
      board.filters = {"lfs"};
      board.setup = {{"npm", "ci"}};
      board.copy = {".env"};
      tx.put(board);
    });
    keep(*store, [&](auto& tx) {
      auto board = *tx.board(id);
      board.title = "Shop";
      tx.put(board);
    });
    auto const board = seen(*store, [&](auto& tx) { return *tx.board(id); });
    CHECK(board.title == "Shop");
    CHECK(board.branch == "develop");
    CHECK(board.branch_prefix == "agents");
    CHECK(board.folder == "packages/app");
    CHECK(board.filters == std::vector<std::string>{"lfs"});
    CHECK(board.setup == std::vector<core::Command>{{"npm", "ci"}});
    CHECK(board.copy == std::vector<std::string>{".env"});
  });
}
