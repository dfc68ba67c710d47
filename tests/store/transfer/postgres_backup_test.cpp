#include "store/transfer/postgres_backup.hpp"

#include <fstream>

#include "store/contract/backup.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/transfer/databases.hpp"
#include "support/store_digest.hpp"

using namespace andon;
using namespace andon::test;
using store::transfer::backup_postgres;
using store::transfer::restore_postgres;

namespace {

struct Data {
  Scratch scratch;
  std::string url = url_of_new_schema();
  std::filesystem::path file = scratch / "backup";
  std::filesystem::path runs = scratch / "runs";
};

std::string incarnation(store::Store& store) {
  return seen(store, [](store::Tx& tx) { return std::string{tx.incarnation()}; });
}

}  // namespace

TEST_CASE("PostgresBackup.IsRestoredWhileAServerRuns" * without_postgres()) {
  Data const data;
  auto const store = open_any(data.url);
  add_board(*store);
  add_task(*store, a_task("kept").ready());
  auto const kept = store_digest(*store);
  auto const was = incarnation(*store);
  backup_postgres(data.url, data.file, data.runs, at_minute(1));
  auto const lost = add_task(*store, a_task("lost").ready()).id;
  CHECK(restore_postgres(data.file, data.url, data.runs, at_minute(2)).made == at_minute(1));
  CHECK(store_digest(*store) == kept);
  CHECK(incarnation(*open_any(data.url)) != was);
  CHECK(add_task(*store, a_task("new").ready()).id == lost + 1);
}

TEST_CASE("PostgresBackup.IsRestoredIntoSqlite" * without_postgres()) {
  Data const data;
  auto const store = open_any(data.url);
  add_board(*store);
  add_task(*store, a_task("kept").ready());
  backup_postgres(data.url, data.file, data.runs, at_minute(1));
  auto const database = data.scratch / "andon.db";
  auto const restored = store::restore(data.file, database, data.runs, at_minute(2));
  CHECK(restored.made == at_minute(1));
  CHECK(store_digest(*open_any("sqlite:" + database.native())) == store_digest(*store));
}

TEST_CASE("PostgresBackup.OfSqliteIsRestoredIntoPostgres" * without_postgres()) {
  Data const data;
  auto const database = data.scratch / "andon.db";
  auto const store = open_any("sqlite:" + database.native());
  add_board(*store);
  add_task(*store, a_task("kept").ready());
  store::back_up(database, data.file, {}, at_minute(1));
  restore_postgres(data.file, data.url, data.runs, at_minute(2));
  CHECK(store_digest(*open_any(data.url)) == store_digest(*store));
}

TEST_CASE("PostgresBackup.OfAChangedFileIsRefused" * without_postgres()) {
  Data const data;
  auto const store = open_any(data.url);
  add_board(*store);
  backup_postgres(data.url, data.file, data.runs, at_minute(1));
  CHECK(refusal_of([&] {
          backup_postgres(data.url, data.file, data.runs, at_minute(1));
        }).contains("exists already"));
  auto const before = measured(data.url).digest;
  std::filesystem::resize_file(data.file, std::filesystem::file_size(data.file) - 20);
  CHECK(refusal_of([&] {
          restore_postgres(data.file, data.url, data.runs, at_minute(2));
        }).contains("its digest differs"));
  CHECK(measured(data.url).digest == before);
}

TEST_CASE("PostgresBackup.HoldsTheFilesOfRuns" * without_postgres()) {
  Data const data;
  auto const store = open_any(data.url);
  std::filesystem::create_directories(data.runs / "7");
  std::ofstream{data.runs / "7" / "output.000000000000000.jsonl"} << "it ran";
  CHECK(backup_postgres(data.url, data.file, data.runs, at_minute(1)).files == 1);
  std::filesystem::remove_all(data.runs);
  CHECK(restore_postgres(data.file, data.url, data.runs, at_minute(2)).files == 1);
  CHECK(std::filesystem::file_size(data.runs / "7" / "output.000000000000000.jsonl") == 6);
  core::Run run;
  add_board(*store);
  run.task = add_task(*store).id;
  CHECK(keep(*store, [&](store::Tx& tx) { return tx.add(run); }) == 8);
}
