#include "store/sqlite/schema.hpp"

#include <charconv>

#include "os/embedded.hpp"
#include "store/store.hpp"

namespace andon::store::sqlite {
namespace {

using enum StoreError::Kind;

constexpr char kApplicationId[] = "1634624623";  // "ando" in big-endian ASCII, as `file` shows it
constexpr std::int64_t kCheckedBytes = 32 << 20;

constexpr char kBeginnings[] =
    "PRAGMA application_id = 1634624623;"
    "CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL, "
    "checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;";

struct Migration {
  int version;
  std::string_view name;
  std::string_view text;
  std::string_view checksum;  ///< SHA-256
};

std::vector<Migration> migrations() {
  std::vector<Migration> out;
  for (auto const& file : migration_files()) {
    int version = 0;
    auto const parsed = std::from_chars(file.path.data(), file.path.data() + file.path.size(), version);
    if (parsed.ec != std::errc{}) continue;
    out.push_back(
        {version, file.path, {reinterpret_cast<char const*>(file.raw.data()), file.raw.size()}, file.etag});
  }
  return out;
}

void refuse_foreign(Connection& db) {
  auto const id = db.value_of("PRAGMA application_id");
  if (id == kApplicationId || db.value_of("SELECT count(*) FROM sqlite_schema") == "0") return;
  throw StoreError{other, "this file is a SQLite database of another program; name another file"};
}

void refuse_unknown(Connection& db, std::vector<Migration> const& known) {
  auto row = db.assembled("SELECT version, checksum FROM schema_migration ORDER BY version");
  while (row.step()) {
    auto const version = row.integer(0);
    if (version > known.back().version)
      throw StoreError{newer_schema, "the database was written by a newer Andon (schema " +
                                         std::to_string(version) + ", this program knows " +
                                         std::to_string(known.back().version) +
                                         "); install a newer version, or restore a backup made by this one"};
    if (known[static_cast<std::size_t>(version) - 1].checksum != row.view(1))
      throw StoreError{damaged,
                       "step " + std::to_string(version) +
                           " of the database's schema is not the one this program knows; it was made by a "
                           "changed build: restore a backup, or use the program that wrote it"};
  }
}

void apply(Connection& db, Migration const& migration) {
  db.execute(std::string{migration.text});
  db.execute("INSERT INTO schema_migration VALUES (" + std::to_string(migration.version) + ", '" +
             std::string{migration.name} + "', '" + std::string{migration.checksum} +
             "', unixepoch() * 1000)");
}

/// Refuses a database that is not ours or not of this program.
int version_of(Connection& db, std::vector<Migration> const& known) {
  refuse_foreign(db);
  if (db.value_of("PRAGMA application_id") != kApplicationId) return 0;
  refuse_unknown(db, known);
  return std::stoi(db.value_of("SELECT coalesce(max(version), 0) FROM schema_migration"));
}

}  // namespace

/// In one transaction, so that a database of ours is never taken for one of another program.
void migrate(Connection& db) {
  auto const known = migrations();
  auto const version = version_of(db, known);
  if (version == known.back().version) return;
  db.execute("BEGIN IMMEDIATE");
  try {
    db.execute(kBeginnings);
    for (auto const& migration : known)
      if (migration.version > version) apply(db, migration);
    db.execute("COMMIT");
  } catch (...) {
    if (db.in_transaction()) db.execute("ROLLBACK");
    throw;
  }
}

int migrations_missing(Connection& db) {
  auto const known = migrations();
  return known.back().version - version_of(db, known);
}

void check_soundness(Connection& db) {
  auto const bytes =
      std::stoll(db.value_of("PRAGMA page_count")) * std::stoll(db.value_of("PRAGMA page_size"));
  if (bytes > kCheckedBytes) return;
  auto const verdict = db.value_of("PRAGMA quick_check(1)");
  if (verdict == "ok") return;
  throw StoreError{damaged, "the database is damaged (" + verdict +
                                "); restore a backup; `andon doctor` tells what is damaged"};
}

}  // namespace andon::store::sqlite
