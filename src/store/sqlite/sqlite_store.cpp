#include "store/sqlite/sqlite_store.hpp"

#include <filesystem>

#include "store/engine/counters/board_cache.hpp"
#include "store/sqlite/counters/flow_totals.hpp"
#include "store/sqlite/database/copy.hpp"
#include "store/sqlite/driver/sqlite_driver.hpp"
#include "store/sqlite/rows/schema.hpp"
#include "store/sqlite/rows/shared_queries.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

Query const kHasFiles{"beside_any"};

/// How often a search is tried on a full disk while the full-text index is behind.
constexpr int kAttempts = 3;

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

SqliteStore::SqliteStore(std::string const& path, engine::OnFatal on_fatal,
                         std::unique_ptr<engine::ExternalSource> mirror, core::Instant now)
    : mirror_(std::move(mirror)) {
  if (!path.empty()) lock_.emplace(path);
  auto db = opened(path, now);
  incarnation_ = incarnation_of(*db);
  bool const has_files = db->query(kHasFiles).step();
  auto const driver = std::make_shared<SqliteDriver>(std::move(db), Writers::this_process);
  writer_ = std::make_unique<engine::Writer>(driver, std::move(on_fatal), times_, mirror_.get());
  if (!path.empty()) readers_ = std::make_unique<engine::Readers>(driver, mirror_.get());
  mirror_->begin([this] { look(); });
  if (has_files) look_first();
}

SqliteStore::~SqliteStore() { close(); }

void SqliteStore::submit(Work work, Done done, Milliseconds patience, UnitKind kind) {
  writer_->submit(std::move(work), std::move(done), patience, kind, engine::Rights::write);
}

void SqliteStore::read(std::function<void(Tx&)> const& work) {
  if (!readers_) return writer_->read(work);
  try {
    readers_->run(work, [this] { engine::update_search_index(*this); });
    writer_->await_disk();
  } catch (StoreError const& error) {
    if (error.kind() != StoreError::Kind::no_space) throw;
    read_on_full_disk(work);
  }
}

/// The disk is full, so the full-text index cannot be written. The missing texts are indexed for this unit
/// alone. When the commit of the batch fails because of other units, this unit fails too and is tried again.
void SqliteStore::read_on_full_disk(std::function<void(Tx&)> const& work) {
  for (int attempt = 1;; ++attempt) try {
      return writer_->read([&](Tx& tx) {
        tx.update_search_for_now();
        work(tx);
      });
    } catch (StoreError const& error) {
      if (error.kind() != StoreError::Kind::no_space || attempt == kAttempts) throw;
    }
}

/// Waits for the first look at the files of attached boards. The first unit of work reports a failure of it.
void SqliteStore::look_first() {
  try {
    writer_->read([](Tx&) {});
  } catch (StoreError const&) {
    return;
  }
}

void SqliteStore::look() {
  writer_->submit([](Tx&) { return Outcome::rollback; }, [](std::exception_ptr const&) {}, {},
                  {.name = "look"}, engine::Rights::read);
}

void SqliteStore::on_commit(std::function<void(core::EventSeq)> listener) {
  writer_->on_commit(std::move(listener));
}

void SqliteStore::close() {
  mirror_->end();
  if (readers_) readers_->close();
  writer_->close();
}

}  // namespace andon::store::sqlite
