#include "store/transfer/postgres_backup.hpp"

#include <algorithm>
#include <array>

#include "os/random.hpp"
#include "store/contract/store_error.hpp"
#include "store/postgres/driver/attachment_rows.hpp"
#include "store/postgres/driver/schema.hpp"
#include "store/postgres/session/store_lock.hpp"
#include "store/sqlite/database/backup_attachments.hpp"
#include "store/sqlite/database/backup_file.hpp"
#include "store/sqlite/database/copy.hpp"
#include "store/sqlite/database/part_file.hpp"
#include "store/sqlite/database/run_files.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/transfer/copy_tables.hpp"
#include "store/transfer/endpoint.hpp"
#include "store/transfer/new_database.hpp"
#include "store/transfer/postgres_tables.hpp"
#include "store/transfer/sqlite_tables.hpp"

// Restore, in one transaction that holds the lock of the store:
// 1. Read the incarnation and the highest numbers of the old data.
// 2. Replace all rows by those of the backup, and compare them.
// 3. Give the data an incarnation that neither side had, and raise the numbers to those of the old data.
namespace andon::store::transfer {
namespace {

using postgres::Parameters;
using postgres::SqlConnection;

sql::Query const kGivenPut{"given_put"};

constexpr std::array<std::string_view, 4> kNumbered{"automation", "run", "task", "token"};
constexpr std::size_t kRun = 1;  ///< in `kNumbered`
static_assert(kNumbered[kRun] == "run");

/// The data of a store that a restore must not give again.
struct Former {
  std::string incarnation;
  std::int64_t registry = 0;                          ///< rises with each change of a board or worker
  std::array<std::int64_t, kNumbered.size()> last{};  ///< the highest numbers, in the order of `kNumbered`
};

/// The tasks of attached boards have numbers that are only counted.
std::int64_t last_number(SqlConnection& db, std::string_view name) {
  auto const table = quoted(name);
  std::string const counted = name == "task" ? "(SELECT task FROM numbered)" : "0";
  return db
      .ask({"read the highest number", "SELECT greatest((SELECT coalesce(max(id), 0) FROM " + table +
                                           "), (SELECT coalesce(max(last), 0) FROM given WHERE name = $1), " +
                                           counted + ")"},
           Parameters::of(name))[0]
      .integer(0);
}

Former former_of(SqlConnection& db) {
  auto const rows = db.ask({"read the identity", "SELECT incarnation, catalogue FROM identity"}, {});
  Former out{rows[0].text(0), rows[0].integer(1)};
  std::ranges::transform(kNumbered, out.last.begin(), [&](auto name) { return last_number(db, name); });
  return out;
}

/// Other servers see by the number of the registry that their copies of boards are old.
void become_new(SqlConnection& db, Former const& former) {
  auto const now = former_of(db);
  std::string fresh;
  do fresh = os::random_hex(3);
  while (fresh == now.incarnation || fresh == former.incarnation);
  db.queue({"set the identity", "UPDATE identity SET incarnation = $1, catalogue = $2"},
           Parameters::of(fresh, std::max(now.registry, former.registry) + 1));
  for (std::size_t i = 0; i < kNumbered.size(); ++i)
    db.run(kGivenPut, kNumbered[i], std::max(now.last[i], former.last[i]));
  db.queue(postgres::raise_turn(), {});
}

void replace_data(SqlConnection& db, sqlite::Connection& backup, std::int64_t last_run) {
  db.queue(postgres::begin_writing(), {});
  db.ask(postgres::lock_store(), {});
  auto former = former_of(db);
  auto& run = former.last[kRun];
  run = std::max(run, last_run);
  SqliteTables from{backup};
  PostgresTables to{db};
  copy_tables(from, to);
  refuse_attached_boards(db);
  become_new(db, former);
  db.queue(postgres::commit(), {});
  db.flush();
}

/// A backup of an older schema is brought to that of this program in a copy.
template <class Use>
void with_current_schema(sqlite::Connection& backup, core::Instant now, Use const& use) {
  if (sqlite::migrations_missing(backup) == 0) return use(backup);
  auto const copy = sqlite::PartFile::of(std::filesystem::temp_directory_path() / "andon-restore");
  sqlite::copy_database(backup, copy.path());
  sqlite::Connection db(copy.path().native(), sqlite::Mode::owner);
  sqlite::migrate(db, now);
  use(db);
}

}  // namespace

BackedUp backup_postgres(std::string_view url, std::filesystem::path const& to,
                         std::filesystem::path const& runs, core::Instant now) {
  BackedUp out;
  postgres::Settings const settings{url};
  make_database(to, Sealing::sealed, now, [&](sqlite::Connection& db) {
    SqliteTables copy{db};
    read_tables(settings, [&](TableAccess& tables) { copy_tables(tables, copy); });
    sqlite::add_backup_tables(db, now);
    postgres::AttachmentRows attachments{settings};
    sqlite::add_attachments(db, attachments);
    if (!runs.empty()) out.files = sqlite::add_run_files(db, runs);
  });
  out.bytes = static_cast<std::int64_t>(std::filesystem::file_size(to));
  return out;
}

Restored restore_postgres(std::filesystem::path const& backup, std::string_view url,
                          std::filesystem::path const& runs, core::Instant now) try {
  postgres::Settings const settings{url};
  if (!std::filesystem::exists(backup))
    throw StoreError{StoreError::Kind::refused, "there is no file " + backup.native()};
  sqlite::refuse_stream(backup);
  sqlite::Connection from(backup.native(), sqlite::Mode::reader);
  sqlite::check_usable(from, backup);
  SqlConnection db{copying(settings), postgres::Access::write};
  postgres::migrate(db, settings.schema(), now);
  Restored out;
  out.made = sqlite::time_of_backup(from).value_or(core::Instant{});
  out.files = sqlite::extract_run_files(from, runs);
  postgres::AttachmentRows attachments{settings};
  sqlite::extract_attachments(from, attachments);
  auto const last_run = sqlite::highest_run_directory(runs);
  with_current_schema(from, now, [&](sqlite::Connection& current) { replace_data(db, current, last_run); });
  return out;
} catch (os::SystemError const& error) {
  throw sqlite::file_failure(error);
}

}  // namespace andon::store::transfer
