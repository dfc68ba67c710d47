#include "store/contract/backup.hpp"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "store/sqlite/database/connection.hpp"
#include "store/sqlite/schema_steps.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;
using store::StoreError;

namespace {

namespace fs = std::filesystem;
core::Instant const kNow{core::Duration{1'800'000'000'000}};

struct Data {
  test::Scratch scratch;
  fs::path database = scratch / "data/andon.db";
  fs::path runs = scratch / "data/work/runs";
  fs::path file = scratch / "backup";

  Data() { fs::create_directories(runs); }
  std::unique_ptr<store::Store> open() const { return store::open_store("sqlite:" + database.native()); }
  void add_task(store::Store& store, std::string const& title) const {
    store::write(store, [&](store::Tx& tx) {
      if (tx.boards().empty()) tx.add(core::Board(test::a_board()));
      core::Task task = test::a_task();
      task.title = title;
      tx.add(std::move(task));
      return store::Outcome::commit;
    });
  }
  void add_task(std::string const& title) const { add_task(*open(), title); }
  std::vector<std::string> titles() const {
    std::vector<std::string> out;
    open()->read([&](store::Tx& tx) {
      auto const found = tx.list({}, {});
      for (auto const& task : found->tasks) out.push_back(task.title);
    });
    return out;
  }
  void add_run_file(std::string const& name, std::string const& content) const {
    fs::create_directories((runs / name).parent_path());
    std::ofstream{runs / name} << content;
  }
};

StoreError::Kind kind_of(auto const& act) {
  try {
    act();
  } catch (StoreError const& error) {
    return error.kind();
  }
  FAIL("it was not refused");
  return StoreError::Kind::other;
}

}  // namespace

TEST_CASE("Backup.HoldsWhatWasThereAlsoWhileTheStoreIsOpen") {
  Data data;
  auto store = data.open();
  data.add_task(*store, "One");
  store::back_up(data.database, data.file, {}, kNow);
  data.add_task(*store, "Two");
  store.reset();
  auto const restored = store::restore(data.file, data.database, data.runs, kNow);
  CHECK(restored.made == kNow);
  CHECK(data.titles() == std::vector<std::string>{"One"});
}

TEST_CASE("Backup.IsOneNewPrivateFile") {
  Data data;
  data.add_task("One");
  store::back_up(data.database, data.file, {}, kNow);
  struct stat about{};
  REQUIRE(::stat(data.file.c_str(), &about) == 0);
  CHECK((about.st_mode & 0777U) == 0600);
  CHECK(std::distance(fs::directory_iterator{data.scratch.path()}, {}) == 2);
  CHECK(kind_of([&] { store::back_up(data.database, data.file, {}, kNow); }) == StoreError::Kind::refused);
  CHECK(std::distance(fs::directory_iterator{data.scratch.path()}, {}) == 2);
}

TEST_CASE("Restore.GivesTheDataAnotherIncarnationAndNoNumberAgain") {
  Data data;
  data.add_task("One");
  store::back_up(data.database, data.file, {}, kNow);
  data.add_task("Lost");
  auto const before = data.open()->incarnation();
  data.add_run_file("7/log.jsonl", "{}");
  store::restore(data.file, data.database, data.runs, kNow);
  CHECK(data.open()->incarnation() != before);
  data.add_task("New");
  data.open()->read([](store::Tx& tx) {
    CHECK_FALSE(tx.task(2));
    CHECK(tx.task(3)->title == "New");
  });
  store::write(*data.open(), [](store::Tx& tx) {
    core::Run run;
    run.task = 1;
    CHECK(tx.add(run) == 8);
    return store::Outcome::rollback;
  });
}

TEST_CASE("Restore.KeepsTheDataThatItReplaces") {
  Data data;
  data.add_task("One");
  store::back_up(data.database, data.file, {}, kNow);
  data.add_task("Two");
  auto const restored = store::restore(data.file, data.database, data.runs, kNow);
  REQUIRE(fs::exists(restored.former));
  store::sqlite::Connection former(restored.former.native(), store::sqlite::Mode::reader);
  CHECK(former.value_of("SELECT count(*) FROM task") == "2");
}

TEST_CASE("Restore.IsRefusedWhileTheStoreIsOpen") {
  Data data;
  data.add_task("One");
  store::back_up(data.database, data.file, {}, kNow);
  auto const store = data.open();
  CHECK(kind_of([&] { store::restore(data.file, data.database, data.runs, kNow); }) ==
        StoreError::Kind::busy);
}

TEST_CASE("Restore.TakesNoFileThatIsNoBackup") {
  Data data;
  data.add_task("One");
  std::ofstream{data.file} << std::string(10'000, 'x');
  CHECK_THROWS_AS(store::restore(data.file, data.database, data.runs, kNow), StoreError);
  fs::remove(data.file);
  CHECK(kind_of([&] { store::restore(data.file, data.database, data.runs, kNow); }) ==
        StoreError::Kind::refused);
  CHECK(data.titles() == std::vector<std::string>{"One"});
}

TEST_CASE("Restore.TakesNoBackupThatIsDamaged") {
  Data data;
  for (int i = 0; i < 200; ++i) data.add_task(std::string(400, 'x'));
  store::back_up(data.database, data.file, {}, kNow);
  auto content = os::read_file(data.file, 100U << 20U);
  for (auto at = content.size() / 3; at < content.size() / 2; ++at) content[at] = '\x55';
  std::ofstream{data.file, std::ios::binary} << content;
  CHECK_THROWS_AS(store::restore(data.file, data.database, data.runs, kNow), StoreError);
  CHECK(data.titles().size() == 200);
}

TEST_CASE("Restore.TakesNoBackupOfWhichAnyByteChanged") {
  Data data;
  for (int i = 0; i < 20; ++i) data.add_task(std::string(400, 'x'));
  store::back_up(data.database, data.file, {}, kNow);
  auto const whole = os::read_file(data.file, 100U << 20U);
  for (std::size_t part = 0; part <= 40; ++part) {
    auto content = whole;
    auto const at = std::min(content.size() * part / 40, content.size() - 1);
    content[at] = static_cast<char>(content[at] ^ 4);
    std::ofstream{data.file, std::ios::binary} << content;
    CAPTURE(at);
    CHECK_THROWS_AS(store::restore(data.file, data.database, data.runs, kNow), StoreError);
  }
  for (auto const less : {std::size_t{1}, std::size_t{100}, whole.size() / 2}) {
    std::ofstream{data.file, std::ios::binary} << whole.substr(0, whole.size() - less);
    CHECK_THROWS_AS(store::restore(data.file, data.database, data.runs, kNow), StoreError);
  }
  CHECK(data.titles().size() == 20);
  std::ofstream{data.file, std::ios::binary} << whole;
  store::restore(data.file, data.database, data.runs, kNow);
  CHECK(data.titles().size() == 20);
}

TEST_CASE("Backup.ReadsAndWritesNoPipe") {
  Data data;
  data.add_task("One");
  REQUIRE(::mkfifo(data.file.c_str(), 0600) == 0);
  CHECK(kind_of([&] { store::back_up(data.database, data.file, {}, kNow); }) == StoreError::Kind::refused);
  CHECK(kind_of([&] { store::restore(data.file, data.database, data.runs, kNow); }) ==
        StoreError::Kind::refused);
}

TEST_CASE("Backup.HoldsNoKeysOfRuns") {
  Data data;
  data.add_task("One");
  for (auto const* name : {"spec.json", "mcp.json", "any.txt", "own/.config/auth.json", "tmp/copy",
                           "work/.env", "own/prompt.md", "own/output.000000000000000.jsonl"})
    data.add_run_file("1/" + std::string{name}, R"({"env":["OPENAI_API_KEY=sk-of-somebody"]})");
  data.add_run_file("1/output.000000000000000.jsonl", "{}");
  CHECK(store::back_up(data.database, data.file, data.runs, kNow).files == 1);
  CHECK_FALSE(os::read_file(data.file, 64U << 20U).contains("sk-of-somebody"));
}

TEST_CASE("Backup.ThatFailsLeavesNothing") {
  Data data;
  data.add_task("One");
  data.add_run_file("1/output.000000000000000.jsonl", "{}");
  // A database with a table of this name cannot take the table of a backup: it fails after the pages.
  store::sqlite::Connection{data.database.native(), store::sqlite::Mode::owner}.execute(
      "CREATE TABLE backup_file (one INTEGER)");
  CHECK_THROWS_AS(store::back_up(data.database, data.file, data.runs, kNow), StoreError);
  CHECK(std::distance(fs::directory_iterator{data.scratch.path()}, {}) == 1);
}

TEST_CASE("Restore.WorksWhereThereIsNoDataAndWhereItIsDamaged") {
  Data data;
  data.add_task("One");
  store::back_up(data.database, data.file, {}, kNow);
  SUBCASE("none") { fs::remove(data.database); }
  SUBCASE("damaged") { std::ofstream{data.database} << std::string(50'000, 'x'); }
  store::restore(data.file, data.database, data.runs, kNow);
  CHECK(data.titles() == std::vector<std::string>{"One"});
}

TEST_CASE("Backup.TakesFilesOfRunsAndRestoreBringsThoseThatAreGone") {
  Data data;
  data.add_task("One");
  data.add_run_file("1/end.json", "{}");
  data.add_run_file("1/output.000000000000000.jsonl", std::string("a\0b", 3));
  data.add_run_file("2/end.json", "old");
  CHECK(store::back_up(data.database, data.file, data.runs, kNow).files == 3);
  fs::remove_all(data.runs / "1");
  data.add_run_file("2/end.json", "new");
  CHECK(store::restore(data.file, data.database, data.runs, kNow).files == 2);
  CHECK(os::read_file(data.runs / "1/output.000000000000000.jsonl", 100) == std::string("a\0b", 3));
  CHECK(os::read_file(data.runs / "2/end.json", 100) == "new");
}

TEST_CASE("Restore.WritesNothingOutsideTheDirectoryOfRuns") {
  Data data;
  data.add_task("One");
  data.add_run_file("1/end.json", "{}");
  store::back_up(data.database, data.file, data.runs, kNow);
  fs::remove_all(data.runs / "1");
  for (auto const* name : {"../../../evil", "1/../../../evil", "/tmp/evil", "evil"}) {
    {
      store::sqlite::Connection db(data.file.native(), store::sqlite::Mode::owner);
      db.execute("UPDATE backup_file SET name = '" + std::string{name} + "'; PRAGMA journal_mode=DELETE");
    }
    CHECK(kind_of([&] { store::restore(data.file, data.database, data.runs, kNow); }) ==
          StoreError::Kind::damaged);
    CHECK_FALSE(fs::exists(data.scratch / "evil"));
  }
}

TEST_CASE("Schema.ADatabaseIsCopiedBeforeItsSchemaChanges") {
  Data data;
  data.add_task("One");
  {
    store::sqlite::Connection db(data.database.native(), store::sqlite::Mode::owner);
    test::take_back(db, 17);
  }
  CHECK(data.titles() == std::vector<std::string>{"One"});
  std::vector<fs::path> copies;
  for (auto const& entry : fs::directory_iterator{data.database.parent_path()})
    if (entry.path().filename().native().starts_with("andon.db.schema-")) copies.push_back(entry.path());
  REQUIRE(copies.size() == 1);
  store::sqlite::Connection copy(copies.front().native(), store::sqlite::Mode::reader);
  CHECK(copy.value_of("SELECT title FROM task") == "One");
  CHECK(copy.value_of("SELECT count(*) FROM schema_migration WHERE version >= 17") == "0");
}
