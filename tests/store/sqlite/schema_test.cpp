#include "store/sqlite/database/schema.hpp"

#include <fstream>
#include <map>
#include <unistd.h>

#include <doctest/doctest.h>

#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "store/sqlite/schema_steps.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;
using store::StoreError;
using store::sqlite::Connection;
using store::sqlite::migrations_missing;
using store::sqlite::Mode;
using test::take_back;

namespace {

struct Database {
  test::Scratch scratch;
  std::string path = (scratch / "andon.db").native();

  std::unique_ptr<store::Store> open() const { return store::open_store("sqlite:" + path); }
  void change(std::string const& sql) const { Connection{path, Mode::owner}.execute(sql); }
  StoreError trouble() const {
    try {
      open();
    } catch (StoreError const& error) {
      return error;
    }
    return {StoreError::Kind::other, "none"};
  }
};

bool says(StoreError const& error, std::string_view text) {
  return std::string_view{error.what()}.find(text) != std::string_view::npos;
}

}  // namespace

TEST_CASE("Schema.NewerThanTheProgramIsRefused") {
  Database db;
  db.open();
  db.change("INSERT INTO schema_migration VALUES (99, '0099_future.sql', 'x', 0)");
  CHECK(db.trouble().kind() == StoreError::Kind::newer_schema);
  CHECK(says(db.trouble(), "install a newer version"));
}

TEST_CASE("Schema.WithAChangedStepIsRefused") {
  Database db;
  db.open();
  db.change("UPDATE schema_migration SET checksum = 'x' WHERE version = 1");
  CHECK(db.trouble().kind() == StoreError::Kind::damaged);
}

TEST_CASE("Schema.OfAnotherProgramIsRefused") {
  Database db;
  db.change("CREATE TABLE songs (title TEXT)");
  CHECK(says(db.trouble(), "another program"));
  CHECK(db.trouble().kind() == StoreError::Kind::other);
}

TEST_CASE("Schema.ErrorsOfTheStartHoldNoSql") {
  Database db;
  std::ofstream{db.path} << std::string(8192, 'x');
  auto const error = db.trouble();
  CHECK(error.kind() == StoreError::Kind::damaged);
  for (auto const* word : {"PRAGMA", "SELECT", "CREATE", "="}) CHECK_FALSE(says(error, word));
}

TEST_CASE("Schema.StepsAreAppliedOnce") {
  Database db;
  auto const steps = [&] {
    return Connection{db.path, Mode::owner}.value_of("SELECT count(*) FROM schema_migration");
  };
  db.open();
  auto const once = steps();
  db.open();
  CHECK(steps() == once);
  Connection connection{db.path, Mode::owner};
  CHECK(migrations_missing(connection) == 0);
}

TEST_CASE("Schema.UnreadTasksOfOlderDatabasesLeaveTheLanesOfWorkers") {
  Database db;
  {
    auto const store = db.open();
    store::write(*store, [](store::Tx& tx) {
      tx.add(core::Board(test::a_board()));
      tx.add(core::Task(test::a_task().ready()));
      tx.add(core::Task(test::a_task().ready().for_role("qa")));
      core::Task approved = test::a_task().ready();
      approved.approved = true;
      tx.add(approved);
      return store::Outcome::commit;
    });
  }
  Connection connection{db.path, Mode::owner};
  auto const lanes_after = [&](std::string const& policy) {
    connection.execute("UPDATE board SET document = json_set(document, " + policy + ")");
    take_back(connection, 8);
    store::sqlite::migrate(connection);
    return connection.value_of("SELECT group_concat(lane, ' ') FROM (SELECT lane FROM task ORDER BY id)");
  };
  CHECK(lanes_after("'$.directory', ''") == " r:qa ");
  CHECK(lanes_after("'$.directory', '/files', '$.approval', 'trusted', '$.trusted', json('[\"file\"]')") ==
        " r:qa ");
  CHECK(lanes_after("'$.approval', 'manual'") == "u: u:r:qa ");
}

TEST_CASE("Schema.TasksOfOlderDatabasesStandInTheQueuesOfTheirTags") {
  Database db;
  {
    auto const store = db.open();
    store::write(*store, [](store::Tx& tx) {
      tx.add(core::Board(test::a_board()));
      tx.add(core::Task(test::a_task().ready().tagged("api").tagged("web")));
      tx.add(core::Task(test::a_task().ready().tagged("api").blocked()));
      return store::Outcome::commit;
    });
  }
  Connection connection{db.path, Mode::owner};
  auto const queues = "SELECT group_concat(status || ' ' || tag || ' ' || task) FROM tag_queue";
  auto const before = connection.value_of(queues);
  take_back(connection, 9);
  store::sqlite::migrate(connection);
  CHECK(connection.value_of(queues) == before);
  CHECK(before == "todo api 1,todo web 1");
}

TEST_CASE("Files.ThatAreNoDatabaseAreDamaged") {
  Database db;
  std::ofstream{db.path} << std::string(8192, 'x');
  CHECK(db.trouble().kind() == StoreError::Kind::damaged);
}

TEST_CASE("Files.WithFlippedBytesAreDamaged") {
  Database db;
  {
    auto const store = db.open();
    store::write(*store, [](store::Tx& tx) {
      for (int n = 0; n < 200; ++n) tx.set_setting("name" + std::to_string(n), std::string(100, 'v'));
      return store::Outcome::commit;
    });
  }
  auto const size = std::filesystem::file_size(db.path);
  std::fstream file{db.path, std::ios::in | std::ios::out | std::ios::binary};
  for (auto page = 4096U; page < size; page += 4096) {
    file.seekp(page);
    file.write("\xff\xff\xff\xff\xff\xff\xff\xff", 8);
  }
  file.close();
  std::ofstream{db.path + "-wal"};  // as after a crash
  CHECK(db.trouble().kind() == StoreError::Kind::damaged);
}

TEST_CASE("Owners.AreOneAtATimeAndNamed") {
  Database db;
  auto const first = db.open();
  CHECK(db.trouble().kind() == StoreError::Kind::busy);
  CHECK(says(db.trouble(), "in use by process " + std::to_string(getpid())));
}

TEST_CASE("Owners.MakeWayWhenTheyClose") {
  Database db;
  db.open();
  CHECK_NOTHROW(db.open());
}

TEST_CASE("Stores.OfUnknownKindsAreRefused") {
  for (auto const* url : {"", "/tmp/x.db", "mysql://x", "sqlite:"})
    CHECK_THROWS_AS(store::open_store(url), StoreError);
  CHECK_THROWS_AS(store::open_store("sqlite:/no/such/folder/andon.db"), StoreError);
}

TEST_CASE("Schema.SubTasksAndReviewsOfOlderDatabasesAreCounted") {
  Database db;
  {
    auto const store = db.open();
    store::write(*store, [](store::Tx& tx) {
      tx.add(core::Board(test::a_board()));
      tx.add(core::Task(test::a_task()));
      tx.add(core::Task(test::a_task().child_of(1).in("done")));
      core::Task review = test::a_task().child_of(2);
      review.state.reviews = 2;
      tx.add(review);
      tx.add(core::Task(test::a_task().child_of(1)));
      return store::Outcome::commit;
    });
  }
  {
    Connection connection{db.path, Mode::owner};
    take_back(connection, 14);
  }
  auto const store = db.open();
  store->read([](store::Tx& tx) {
    CHECK(tx.progress(1) == core::Progress{1, 2});
    CHECK(tx.progress(2) == core::Progress{0, 1});
    CHECK(tx.levels_below(1, 100) == 2);
    CHECK(tx.open_review_of(2) == 3);
  });
}

TEST_CASE("Schema.TasksThatTriggersMarkedAreCountedWithThoseThatTheSessionMarks") {
  Database db;
  {
    auto const store = db.open();
    store::write(*store, [](store::Tx& tx) {
      tx.add(core::Board(test::a_board()));
      for (int i = 0; i < 4; ++i) tx.add(core::Task(test::a_task().in("todo")));
      return store::Outcome::commit;
    });
  }
  {
    Connection connection{db.path, Mode::owner};
    take_back(connection, 19);
    connection.execute("UPDATE task SET status = 'doing', stage = 'active' WHERE id = 1");
    connection.execute("UPDATE task SET status = 'archived', stage = 'archived' WHERE id = 2");
  }
  auto const store = db.open();
  store::write(*store, [](store::Tx& tx) {
    for (auto const id : {core::TaskId{1}, core::TaskId{3}}) {
      auto task = *tx.task(id);
      task.status = id == 1 ? "done" : "doing";
      task.rev = core::next(task.rev);
      tx.put(task);
    }
    return store::Outcome::commit;
  });
  store->read([](store::Tx& tx) {
    std::map<std::string, std::int64_t> counts;
    auto const board = tx.boards().front()->id;
    for (auto const& tally :
         tx.tally(board, {"todo", "doing", "done", "archived"}, store::Facet::priority, core::Date{}))
      counts[tally.status] += tally.count;
    CHECK(counts ==
          std::map<std::string, std::int64_t>{{"archived", 1}, {"doing", 1}, {"done", 1}, {"todo", 1}});
  });
  store->close();
  CHECK(Connection{db.path, Mode::owner}.value_of(
            "SELECT group_concat(archived, '') FROM (SELECT archived FROM task ORDER BY id)") == "0100");
}
