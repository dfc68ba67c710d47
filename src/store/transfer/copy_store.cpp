#include "store/transfer/copy_store.hpp"

#include "store/contract/store.hpp"
#include "store/postgres/driver/schema.hpp"
#include "store/postgres/session/store_lock.hpp"
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

}  // namespace

Copied copy_store(Endpoint const& from, Endpoint const& to, core::Instant now) {
  return std::visit([&](auto const& target) { return copy_into(target, from, now); }, to);
}

}  // namespace andon::store::transfer
