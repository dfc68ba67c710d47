#include "store/transfer/new_database.hpp"

#include <fcntl.h>

#include "os/files/descriptor.hpp"
#include "store/sqlite/database/copy.hpp"
#include "store/sqlite/database/part_file.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/database/seal.hpp"

namespace andon::store::transfer {
namespace {

void make_private(std::filesystem::path const& file) {
  os::Descriptor const made{::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!made) throw sqlite::file_failure("make", file);
}

/// The end leaves no log beside the file.
void fill_file(std::filesystem::path const& file, core::Instant now,
               std::function<void(sqlite::Connection&)> const& fill) {
  sqlite::Connection db(file.native(), sqlite::Mode::owner);
  sqlite::migrate(db, now);
  db.execute("BEGIN IMMEDIATE");
  fill(db);
  db.execute("COMMIT; PRAGMA journal_mode=DELETE");
}

}  // namespace

void make_database(std::filesystem::path const& file, Sealing sealing, core::Instant now,
                   std::function<void(sqlite::Connection&)> const& fill) try {
  sqlite::refuse_existing(file);
  auto part = sqlite::PartFile::of(file);
  make_private(part.path());
  fill_file(part.path(), now, fill);
  if (sealing == Sealing::sealed) sqlite::seal(part.path());
  sqlite::sync_file(part.path());
  part.publish(file);
} catch (os::SystemError const& error) {
  throw sqlite::file_failure(error);
}

}  // namespace andon::store::transfer
