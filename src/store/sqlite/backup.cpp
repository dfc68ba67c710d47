#include "store/contract/backup.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "os/files/file.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"
#include "store/contract/store.hpp"
#include "store/sqlite/database/copy.hpp"
#include "store/sqlite/database/owner_lock.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/database/seal.hpp"

// Backup: a reading connection holds one snapshot while its pages are copied, so the writer is not blocked.
// The copy is written under a temporary name. The finished copy ends with its digest, and gets the name that
// the caller asked for.
//
// Restore:
// 1. Copy the backup beside the database.
// 2. Extract files of those runs that have no directory.
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

constexpr std::size_t kLargestFile = 64U << 20U;  ///< of a run; its logs are parts of 10 MiB
constexpr std::size_t kNameBytes = 4;
constexpr char kTables[] =
    "CREATE TABLE backup (one INTEGER PRIMARY KEY CHECK (one = 1), made INTEGER NOT NULL, sealed INTEGER NOT "
    "NULL) STRICT;"
    "CREATE TABLE backup_file (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;";
constexpr char kNoTables[] = "DROP TABLE IF EXISTS backup; DROP TABLE IF EXISTS backup_file;";

StoreError trouble(std::string const& text) {
  auto const kind = errno == ENOSPC || errno == EDQUOT ? StoreError::Kind::no_space
                    : errno == EROFS                   ? StoreError::Kind::read_only
                                                       : StoreError::Kind::other;
  return {kind, text + ": " + std::strerror(errno)};
}

/// Removes an unfinished database, and what SQLite makes beside it, on destruction unless `keep` was called.
class Unfinished {
 public:
  explicit Unfinished(fs::path path) : path_(std::move(path)) {}
  ~Unfinished() {
    for (auto const* end : {"", "-journal", "-wal", "-shm"})
      if (!path_.empty()) ::unlink((path_.native() + end).c_str());
  }
  Unfinished(Unfinished const&) = delete;
  Unfinished& operator=(Unfinished const&) = delete;
  fs::path const& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

/// Gives a finished file its final name, which must be free.
void publish(Unfinished& file, fs::path const& name) {
  if (::link(file.path().c_str(), name.c_str()) != 0) {
    if (errno == EEXIST)
      throw StoreError{StoreError::Kind::refused, name.native() + " exists already; name a new file"};
    if (errno != EPERM && errno != EOPNOTSUPP) throw trouble("cannot make " + name.native());
    // This file system has no hard links.
    if (::renameat2(AT_FDCWD, file.path().c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) != 0)
      throw trouble("cannot make " + name.native());
    file.keep();
  }
  try {
    sqlite::sync_file(name);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Accepts names such as `12/spec.json`: below the directory of a run and nowhere else.
bool is_name_of_run_file(fs::path const& name) {
  if (name.is_absolute() || !name.has_parent_path() || !is_number(name.begin()->native())) return false;
  return std::ranges::none_of(name,
                              [](auto const& part) { return part == ".." || part == "." || part.empty(); });
}

template <class Visit>
void each_run_file(fs::path const& runs, Visit const& visit) {
  std::error_code gone;
  for (auto const& run : fs::directory_iterator{runs, gone}) {
    if (!run.is_directory(gone) || run.is_symlink(gone) || !is_number(run.path().filename().native()))
      continue;
    for (auto at = fs::recursive_directory_iterator{run.path(), gone};
         at != fs::recursive_directory_iterator{}; at.increment(gone)) {
      if (at->is_symlink(gone)) {
        at.disable_recursion_pending();
        continue;
      }
      if (at->is_regular_file(gone)) visit(at->path());
    }
  }
}

std::int64_t add_run_files(Connection& db, fs::path const& runs) {
  std::int64_t count = 0;
  each_run_file(runs, [&](fs::path const& file) {
    std::optional<std::string> content;
    try {
      content = os::read_file_if_there(file, kLargestFile);
    } catch (os::SystemError const&) {  // larger than any file that Andon writes for a run, or no longer
                                        // readable
      return;
    }
    if (!content) return;
    auto const name = fs::relative(file, runs).native();
    auto row = db.assembled("INSERT INTO backup_file VALUES ($1, CAST($2 AS BLOB))");
    row.bind(1, name);
    row.bind(2, std::string_view{*content});
    row.step();
    ++count;
  });
  return count;
}

/// Writes the rows that a copy has beside its pages, in one transaction.
template <class Work>
void write_in(fs::path const& file, Work const& work) {
  Connection db(file.native(), Mode::owner);
  db.execute("BEGIN IMMEDIATE");
  work(db);
  db.execute("COMMIT; PRAGMA journal_mode=DELETE");
}

/// A database needs a file in which it can be read and written at any place.
void refuse_stream(fs::path const& file) {
  std::error_code unknown;
  auto const type = fs::status(file, unknown).type();
  if (type == fs::file_type::fifo || type == fs::file_type::character || type == fs::file_type::socket)
    throw StoreError{StoreError::Kind::refused,
                     file.native() + " is a pipe or a device; name a file, and copy that file as you like"};
}

void refuse_existing(fs::path const& file) {
  refuse_stream(file);
  std::error_code unknown;
  if (fs::symlink_status(file, unknown).type() != fs::file_type::not_found)
    throw StoreError{StoreError::Kind::refused, file.native() + " exists already; name a new file"};
}

void check_seal(Connection& db, fs::path const& file) {
  bool const is_sealed =
      db.value_of("SELECT count(*) FROM pragma_table_info('backup') WHERE name = 'sealed'") == "1";
  auto const seal = sqlite::look_at_seal(file);
  bool const is_damaged = seal == sqlite::Seal::broken || (is_sealed && seal == sqlite::Seal::none);
  if (is_damaged)
    throw StoreError{
        StoreError::Kind::damaged,
        file.native() + " is not the file that was written: its digest differs; use another backup"};
}

void check_usable(Connection& db, fs::path const& file) {
  if (db.value_of("PRAGMA application_id") != sqlite::kApplicationId)
    throw StoreError{StoreError::Kind::refused, file.native() + " is no backup of Andon"};
  static_cast<void>(sqlite::migrations_missing(db));
  check_seal(db, file);
  if (auto const verdict = db.value_of("PRAGMA quick_check(1)"); verdict != "ok")
    throw StoreError{StoreError::Kind::damaged,
                     file.native() + " is damaged (" + verdict + "); use another backup"};
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

std::int64_t highest_run_directory(fs::path const& runs) {
  std::int64_t out = 0;
  std::error_code gone;
  for (auto const& entry : fs::directory_iterator{runs, gone}) {
    auto const name = entry.path().filename().native();
    std::int64_t number = 0;
    if (is_number(name)) std::from_chars(name.data(), name.data() + name.size(), number);
    out = std::max(out, number);
  }
  return out;
}

void give(Connection& db, std::string_view name, std::int64_t last) {
  db.run(sqlite::Query{"given_put"}, name, last);
}

std::int64_t extract_run_files(Connection& backup, fs::path const& runs) {
  if (backup.value_of("SELECT count(*) FROM sqlite_schema WHERE name = 'backup_file'") == "0") return 0;
  std::int64_t count = 0;
  std::string standing;  ///< a run whose directory exists, so none of its files is extracted
  std::string begun;     ///< a run whose directory this function created
  for (auto row = backup.assembled("SELECT name, content FROM backup_file ORDER BY name"); row.step();) {
    fs::path const name{row.text(0)};
    if (!is_name_of_run_file(name))
      throw StoreError{StoreError::Kind::damaged, "the backup names a file outside of runs"};
    auto const run = name.begin()->native();
    if (run == standing) continue;
    if (run != begun && fs::exists(runs / run)) {
      standing = run;
      continue;
    }
    begun = run;
    os::make_private_directory((runs / name).parent_path());
    os::write_passing_file(runs / name, row.view(1), 0600);
    ++count;
  }
  return count;
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

fs::path keep_former(fs::path const& database) {
  if (!fs::exists(database)) return {};
  fs::path former = database.native() + ".replaced";
  ::unlink(former.c_str());
  if (::link(database.c_str(), former.c_str()) == 0) return former;
  return {};
}

}  // namespace

BackedUp back_up(fs::path const& database, fs::path const& to, fs::path const& runs, core::Instant now) try {
  refuse_existing(to);
  if (!fs::exists(database))
    throw StoreError{StoreError::Kind::refused, "there is no database " + database.native()};
  Unfinished part{to.native() + "." + os::random_hex(kNameBytes) + ".part"};
  {
    Connection from(database.native(), Mode::reader);
    from.execute("BEGIN");
    static_cast<void>(from.value_of("SELECT count(*) FROM sqlite_schema"));
    sqlite::copy_database(from, part.path());
    from.execute("ROLLBACK");
  }
  BackedUp out;
  write_in(part.path(), [&](Connection& db) {
    db.execute(kTables);
    db.execute("INSERT INTO backup VALUES (1, " + std::to_string(now.time_since_epoch().count()) + ", 1)");
    if (!runs.empty()) out.files = add_run_files(db, runs);
  });
  sqlite::seal(part.path());
  sqlite::sync_file(part.path());
  publish(part, to);
  out.bytes = static_cast<std::int64_t>(fs::file_size(to));
  return out;
} catch (os::SystemError const& error) {
  throw StoreError{error.number() == ENOSPC ? StoreError::Kind::no_space : StoreError::Kind::other,
                   error.what()};
}

Restored restore(fs::path const& backup, fs::path const& database, fs::path const& runs,
                 core::Instant now) try {
  if (!fs::exists(backup)) throw StoreError{StoreError::Kind::refused, "there is no file " + backup.native()};
  refuse_stream(backup);
  Restored out;
  sqlite::OwnerLock const lock(database.native());
  Unfinished fresh{database.native() + ".restoring"};
  ::unlink(fresh.path().c_str());
  {
    Connection from(backup.native(), Mode::reader);
    check_usable(from, backup);
    if (from.value_of("SELECT count(*) FROM sqlite_schema WHERE name = 'backup'") == "1")
      out.made = core::Instant{core::Duration{number_in(from, "SELECT made FROM backup")}};
    sqlite::copy_database(from, fresh.path());
    out.files = extract_run_files(from, runs);
  }
  auto const former = fs::exists(database) ? close_former(database) : Given{};
  {
    Connection db(fresh.path().native(), Mode::owner);
    sqlite::migrate(db, now);
  }
  write_in(fresh.path(), [&](Connection& db) { become_new(db, former, highest_run_directory(runs)); });
  sqlite::sync_file(fresh.path());
  out.former = keep_former(database);
  if (::rename(fresh.path().c_str(), database.c_str()) != 0)
    throw trouble("cannot replace " + database.native());
  fresh.keep();
  sqlite::sync_file(database);
  return out;
} catch (os::SystemError const& error) {
  throw StoreError{error.number() == ENOSPC ? StoreError::Kind::no_space : StoreError::Kind::other,
                   error.what()};
}

}  // namespace andon::store
