#include "store/transfer/copy_store.hpp"

#include <memory>

#include "store/attachments/attachment_directory.hpp"
#include "store/contract/store_error.hpp"
#include "store/postgres/driver/attachment_rows.hpp"
#include "store/postgres/driver/schema.hpp"
#include "store/postgres/session/store_lock.hpp"
#include "store/sqlite/database/backup_attachments.hpp"
#include "store/transfer/new_database.hpp"
#include "store/transfer/postgres_tables.hpp"
#include "store/transfer/sqlite_tables.hpp"

namespace andon::store::transfer {
namespace {

Copied copy_into(std::filesystem::path const& file, Endpoint const& from, core::Instant now) {
  Copied out;
  make_database(file, Sealing::none, now, [&](sqlite::Connection& db) {
    SqliteTables to{db};
    read_tables(from, [&](TableAccess& tables) { out = copy_tables(tables, to); });
  });
  return out;
}

/// The schema is made in the transaction of the copy, so that a failure leaves none.
Copied copy_into(postgres::Settings const& settings, Endpoint const& from, core::Instant now) {
  Copied out;
  postgres::SqlConnection db{copying(settings), postgres::Access::write};
  db.queue(postgres::begin_writing(), {});
  db.flush();
  postgres::migrate(db, settings.schema(), now);
  db.ask(postgres::lock_store(), {});
  PostgresTables to{db};
  if (!to.are_new())
    throw StoreError{StoreError::Kind::refused,
                     settings.display_url() + " holds data in the schema " + settings.schema() +
                         " already; name another one with schema=NAME in the URL, or drop it"};
  read_tables(from, [&](TableAccess& tables) { out = copy_tables(tables, to); });
  refuse_attached_boards(db);
  db.queue(postgres::commit(), {});
  db.flush();
  return out;
}

std::unique_ptr<AttachmentFiles> attachments_at(std::filesystem::path const& file) {
  return std::make_unique<AttachmentDirectory>(std::filesystem::absolute(file).parent_path());
}
std::unique_ptr<AttachmentFiles> attachments_at(postgres::Settings const& settings) {
  return std::make_unique<postgres::AttachmentRows>(settings);
}
/// The endpoint must outlive them.
std::unique_ptr<AttachmentFiles> attachments_at(Endpoint const& endpoint) {
  return std::visit([](auto const& place) { return attachments_at(place); }, endpoint);
}

}  // namespace

Copied copy_store(Endpoint const& from, Endpoint const& to, core::Instant now) {
  auto const copied = std::visit([&](auto const& target) { return copy_into(target, from, now); }, to);
  auto const contents = attachments_at(from);
  sqlite::copy_attachments(*contents, *attachments_at(to));
  return copied;
}

}  // namespace andon::store::transfer
