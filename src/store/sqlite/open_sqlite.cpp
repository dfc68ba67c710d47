#include "store/sqlite/open_sqlite.hpp"

#include <filesystem>

#include "store/contract/store_error.hpp"
#include "store/engine/counters/board_cache.hpp"
#include "store/engine/writer/driver_store.hpp"
#include "store/sqlite/counters/flow_totals.hpp"
#include "store/sqlite/database/copy.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/driver/sqlite_driver.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

Query const kHasFiles{"beside_any"};

/// A process that closes a database removes its log; a remaining log means that a process crashed.
bool was_left_open(std::string const& path) {
  return !path.empty() && std::filesystem::exists(path + "-wal");
}

/// Keeps one copy, that from before the last migration: `andon.db.schema-9` is the database as it was with
/// schema 9.
void copy_before_migration(Connection& db, std::string const& path) {
  if (path.empty() || db.value_of("PRAGMA application_id") != kApplicationId || migrations_missing(db) == 0)
    return;
  auto const beginning = std::filesystem::path{path}.filename().native() + ".schema-";
  for (auto const& entry : std::filesystem::directory_iterator{std::filesystem::path{path}.parent_path()})
    if (entry.path().filename().native().starts_with(beginning)) std::filesystem::remove(entry.path());
  copy_database(db, path + ".schema-" + db.value_of("SELECT max(version) FROM schema_migration"));
}

std::unique_ptr<Connection> opened(std::string const& path, core::Instant now) {
  bool const is_doubtful = was_left_open(path);
  auto db = std::make_unique<Connection>(path, path.empty() ? Mode::memory : Mode::owner);
  if (!path.empty() && db->value_of("PRAGMA journal_mode") != "wal")
    throw StoreError{StoreError::Kind::other,
                     "the file system of " + path + " cannot hold a database in WAL mode"};
  if (is_doubtful) check_soundness(*db);
  copy_before_migration(*db, path);
  migrate(*db, now);
  SqliteSession session{*db};
  engine::BoardCache boards;
  boards.refresh(session);
  while (catch_up_flow(*db, [&](std::string_view name) { return boards.board(name); })) continue;
  return db;
}

}  // namespace

std::unique_ptr<Store> open_sqlite(std::string const& path, engine::OnFatal on_fatal,
                                   std::unique_ptr<engine::ExternalSource> source, core::Instant now) {
  auto lock = path.empty() ? nullptr : std::make_unique<OwnerLock>(path);
  auto db = opened(path, now);
  bool const has_files = db->query(kHasFiles).step();
  auto out = std::make_unique<engine::DriverStore>(
      std::make_shared<SqliteDriver>(std::move(db), Writers::this_process, std::move(lock)),
      std::move(source), std::move(on_fatal),
      path.empty() ? engine::ReadingSessions::none : engine::ReadingSessions::many);
  if (has_files) out->look_first();
  return out;
}

}  // namespace andon::store::sqlite
