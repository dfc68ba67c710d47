#include "store/contract/backup.hpp"

#include <algorithm>
#include <charconv>
#include <unistd.h>

#include "os/random.hpp"
#include "store/attachments/attachment_directory.hpp"
#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/sqlite/database/backup_attachments.hpp"
#include "store/sqlite/database/backup_file.hpp"
#include "store/sqlite/database/copy.hpp"
#include "store/sqlite/database/owner_lock.hpp"
#include "store/sqlite/database/part_file.hpp"
#include "store/sqlite/database/run_files.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/database/seal.hpp"

// Backup: a reading connection holds one snapshot while its pages are copied, so the writer is not blocked.
// The copy is written under a temporary name. The finished copy ends with its digest, and gets the name that
// the caller asked for.
//
// Restore:
// 1. Copy the backup beside the database.
// 2. Extract files of those runs that have no directory, and attachments that are not there.
// 3. Copy the old database's log back into it and remove the log. A log beside a database it does not belong
//    to would corrupt that database.
// 4. Bring the copy to the current schema, incarnation and numbers.
// 5. Give the old database a second name.
// 6. Rename the copy to the name of the database.
namespace andon::store {
namespace {

namespace fs = std::filesystem;
using sqlite::Connection;
using sqlite::Mode;
using sqlite::PartFile;

constexpr char kNoTables[] =
    "DROP TABLE IF EXISTS backup; DROP TABLE IF EXISTS backup_file; DROP TABLE IF EXISTS backup_attachment;";

/// Writes the rows that a copy has beside its pages, in one transaction.
template <class Work>
void write_in(fs::path const& file, Work const& work) {
  Connection db(file.native(), Mode::owner);
  db.execute("BEGIN IMMEDIATE");
  work(db);
  db.execute("COMMIT; PRAGMA journal_mode=DELETE");
}

std::int64_t number_in(Connection& db, std::string const& sql) {
  auto const text = db.value_of(sql);
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// The highest numbers that were given; no new row may get one of them.
struct Given {
  std::int64_t run = 0;
  std::int64_t task = 0;
  std::int64_t token = 0;
  std::string incarnation;
};

/// Reads the numbers of the old database and removes its log, so that the new database never meets this log.
Given close_former(fs::path const& database) {
  Given out;
  try {
    Connection db(database.native(), Mode::owner);
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    out.incarnation = db.value_of("SELECT incarnation FROM identity");
    out.run = number_in(db, "SELECT max(id) FROM run");
    out.task = number_in(db, "SELECT max(id) FROM task");
    out.token = number_in(db, "SELECT max(id) FROM token");
  } catch (StoreError const&) {  // the database is damaged, which may be the reason for the restore
  }
  for (auto const* end : {"-wal", "-shm"}) ::unlink((database.native() + end).c_str());
  return out;
}

void give(Connection& db, std::string_view name, std::int64_t last) {
  db.run(sqlite::Query{"given_put"}, name, last);
}

/// Chooses an incarnation that is neither that of the old data nor that of the backup. Cursors of both are
/// invalid.
void become_new(Connection& db, Given const& former, std::int64_t runs) {
  auto const was = db.value_of("SELECT incarnation FROM identity");
  std::string fresh;
  do fresh = os::random_hex(3);
  while (fresh == was || fresh == former.incarnation);
  db.execute(std::string{kNoTables} + "UPDATE identity SET incarnation = '" + fresh +
             "', catalogue = catalogue + 1");
  give(db, "run", std::max({former.run, runs, number_in(db, "SELECT max(id) FROM run")}));
  give(db, "task", std::max(former.task, number_in(db, "SELECT max(id) FROM task")));
  give(db, "token", std::max(former.token, number_in(db, "SELECT max(id) FROM token")));
}

AttachmentDirectory attachments_of(fs::path const& database) {
  return AttachmentDirectory{fs::absolute(database).parent_path()};
}

fs::path keep_former(fs::path const& database) {
  if (!fs::exists(database)) return {};
  fs::path former = database.native() + ".replaced";
  ::unlink(former.c_str());
  if (::link(database.c_str(), former.c_str()) == 0) return former;
  return {};
}

}  // namespace

BackedUp back_up(fs::path const& database, fs::path const& to, fs::path const& runs, core::Instant now) try {
  sqlite::refuse_existing(to);
  if (!fs::exists(database))
    throw StoreError{StoreError::Kind::refused, "there is no database " + database.native()};
  auto part = PartFile::of(to);
  {
    Connection from(database.native(), Mode::reader);
    from.execute("BEGIN");
    static_cast<void>(from.value_of("SELECT count(*) FROM sqlite_schema"));
    sqlite::copy_database(from, part.path());
    from.execute("ROLLBACK");
  }
  BackedUp out;
  write_in(part.path(), [&](Connection& db) {
    sqlite::add_backup_tables(db, now);
    auto attachments = attachments_of(database);
    sqlite::add_attachments(db, attachments);
    if (!runs.empty()) out.files = sqlite::add_run_files(db, runs);
  });
  sqlite::seal(part.path());
  sqlite::sync_file(part.path());
  part.publish(to);
  out.bytes = static_cast<std::int64_t>(fs::file_size(to));
  return out;
} catch (os::SystemError const& error) {
  throw sqlite::file_failure(error);
}

Restored restore(fs::path const& backup, fs::path const& database, fs::path const& runs,
                 core::Instant now) try {
  if (!fs::exists(backup)) throw StoreError{StoreError::Kind::refused, "there is no file " + backup.native()};
  sqlite::refuse_stream(backup);
  Restored out;
  sqlite::OwnerLock const lock(database.native());
  PartFile fresh{database.native() + ".restoring"};
  ::unlink(fresh.path().c_str());
  {
    Connection from(backup.native(), Mode::reader);
    sqlite::check_usable(from, backup);
    if (auto const made = sqlite::time_of_backup(from)) out.made = *made;
    sqlite::copy_database(from, fresh.path());
    out.files = sqlite::extract_run_files(from, runs);
    auto attachments = attachments_of(database);
    sqlite::extract_attachments(from, attachments);
  }
  auto const former = fs::exists(database) ? close_former(database) : Given{};
  {
    Connection db(fresh.path().native(), Mode::owner);
    sqlite::migrate(db, now);
  }
  write_in(fresh.path(),
           [&](Connection& db) { become_new(db, former, sqlite::highest_run_directory(runs)); });
  sqlite::sync_file(fresh.path());
  out.former = keep_former(database);
  if (::rename(fresh.path().c_str(), database.c_str()) != 0) throw sqlite::file_failure("replace", database);
  fresh.keep();
  sqlite::sync_file(database);
  return out;
} catch (os::SystemError const& error) {
  throw sqlite::file_failure(error);
}

}  // namespace andon::store
