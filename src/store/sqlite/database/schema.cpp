#include "store/sqlite/database/schema.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>

#include "os/embedded.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {
namespace {

using enum StoreError::Kind;

constexpr std::int64_t kCheckedBytes = 32 << 20;
constexpr std::int64_t kLongBytes = 128 << 20;  ///< a step over a database of this size takes more than a few
                                                ///< seconds
/// A large cache, so that new indexes of a large table are sorted in memory.
constexpr char kMigrationSettings[] = "PRAGMA cache_size=-262144;";
constexpr char kUsualSettings[] = "PRAGMA cache_size=-4096;";

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
  for (auto const& file : sqlite_files()) {
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

StoreError newer(std::int64_t version, std::int64_t known) {
  return {newer_schema, "the database was written by a newer Andon (schema " + std::to_string(version) +
                            ", this program knows " + std::to_string(known) +
                            "); install a newer version, or restore a backup made by this one"};
}

/// Returns the versions of the applied steps, which may have gaps. Throws StoreError for steps that this
/// program does not have or that differ from its own.
std::set<int> refuse_unknown(Connection& db, std::vector<Migration> const& known) {
  std::set<int> applied;
  auto row = db.assembled("SELECT version, checksum FROM schema_migration ORDER BY version");
  while (row.step()) {
    auto const version = static_cast<int>(row.integer(0));
    auto const step = std::ranges::find(known, version, &Migration::version);
    if (step == known.end()) throw newer(version, known.back().version);
    if (step->checksum != row.view(1))
      throw StoreError{damaged,
                       "step " + std::to_string(version) +
                           " of the database's schema is not the one this program knows; it was made by a "
                           "changed build: restore a backup, or use the program that wrote it"};
    applied.insert(version);
  }
  return applied;
}

std::int64_t size_of(Connection& db) {
  return std::stoll(db.value_of("PRAGMA page_count")) * std::stoll(db.value_of("PRAGMA page_size"));
}

void say_if_long(Connection& db, std::vector<Migration> const& steps) {
  if (size_of(db) < kLongBytes) return;
  std::fprintf(stderr,
               "bringing the database up to date, steps %d to %d; it has %lld MB, which takes about a minute "
               "for each GB\n",
               steps.front().version, steps.back().version, static_cast<long long>(size_of(db) >> 20));
}

void apply(Connection& db, Migration const& migration, core::Instant now) {
  db.execute(std::string{migration.text});
  db.execute("INSERT INTO schema_migration VALUES (" + std::to_string(migration.version) + ", '" +
             std::string{migration.name} + "', '" + std::string{migration.checksum} + "', " +
             std::to_string(now.time_since_epoch().count()) + ")");
}

/// The steps that the database lacks. Throws StoreError for a database of another program or of a newer
/// Andon.
std::vector<Migration> missing(Connection& db) {
  refuse_foreign(db);
  auto out = migrations();
  if (db.value_of("PRAGMA application_id") != kApplicationId) return out;
  auto const applied = refuse_unknown(db, out);
  std::erase_if(out, [&](auto const& migration) { return applied.contains(migration.version); });
  return out;
}

}  // namespace

/// Runs in one transaction, so that a half-made database of Andon is never taken for one of another program.
void migrate(Connection& db, core::Instant now) {
  auto const steps = missing(db);
  if (steps.empty()) return;
  say_if_long(db, steps);
  db.execute(kMigrationSettings);
  db.execute("BEGIN IMMEDIATE");
  try {
    db.execute(kBeginnings);
    for (auto const& migration : steps) apply(db, migration, now);
    db.execute("COMMIT");
  } catch (...) {
    if (db.in_transaction()) db.execute("ROLLBACK");
    throw;
  }
  db.execute(kUsualSettings);
}

void refuse_newer(Connection& db) {
  auto row = db.assembled("SELECT coalesce(max(version), 0) FROM schema_migration");
  auto const version = row.step() ? row.integer(0) : 0;
  if (auto const known = migrations().back().version; version > known) throw newer(version, known);
}

int migrations_missing(Connection& db) { return static_cast<int>(missing(db).size()); }

void check_soundness(Connection& db) {
  if (size_of(db) > kCheckedBytes) return;
  auto const verdict = db.value_of("PRAGMA quick_check(1)");
  if (verdict == "ok") return;
  throw StoreError{damaged, "the database is damaged (" + verdict +
                                "); restore a backup; `andon doctor` tells what is damaged"};
}

}  // namespace andon::store::sqlite
