#include "store/sqlite/database/backup_file.hpp"

#include "store/contract/store_error.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/database/seal.hpp"

namespace andon::store::sqlite {
namespace {

constexpr char kBackupTables[] =
    "CREATE TABLE backup (one INTEGER PRIMARY KEY CHECK (one = 1), made INTEGER NOT NULL, sealed INTEGER NOT "
    "NULL) STRICT;"
    "CREATE TABLE backup_file (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;";

void check_seal(Connection& db, std::filesystem::path const& file) {
  bool const is_sealed =
      db.value_of("SELECT count(*) FROM pragma_table_info('backup') WHERE name = 'sealed'") == "1";
  auto const seal = look_at_seal(file);
  bool const is_damaged = seal == Seal::broken || (is_sealed && seal == Seal::none);
  if (is_damaged)
    throw StoreError{
        StoreError::Kind::damaged,
        file.native() + " is not the file that was written: its digest differs; use another backup"};
}

}  // namespace

void add_backup_tables(Connection& db, core::Instant now) {
  db.execute(kBackupTables);
  db.execute("INSERT INTO backup VALUES (1, " + std::to_string(now.time_since_epoch().count()) + ", 1)");
}

std::optional<core::Instant> time_of_backup(Connection& db) {
  if (db.value_of("SELECT count(*) FROM sqlite_schema WHERE name = 'backup'") != "1") return std::nullopt;
  auto row = db.assembled("SELECT made FROM backup");
  return row.step() ? std::optional{row.instant(0)} : std::nullopt;
}

void check_usable(Connection& db, std::filesystem::path const& file) {
  if (db.value_of("PRAGMA application_id") != kApplicationId)
    throw StoreError{StoreError::Kind::refused, file.native() + " is no backup of Andon"};
  static_cast<void>(migrations_missing(db));
  check_seal(db, file);
  if (auto const verdict = db.value_of("PRAGMA quick_check(1)"); verdict != "ok")
    throw StoreError{StoreError::Kind::damaged,
                     file.native() + " is damaged (" + verdict + "); use another backup"};
}

}  // namespace andon::store::sqlite
