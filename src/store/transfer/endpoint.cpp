#include "store/transfer/endpoint.hpp"

#include <utility>

#include "store/contract/store_error.hpp"
#include "store/postgres/driver/schema.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/transfer/postgres_tables.hpp"
#include "store/transfer/sqlite_tables.hpp"

namespace andon::store::transfer {
namespace {

namespace fs = std::filesystem;
using Read = std::function<void(TableAccess&)>;

[[noreturn]] void refuse_endpoint(std::string const& why) {
  throw StoreError{StoreError::Kind::refused, why};
}

void refuse_foreign(sqlite::Connection& db, fs::path const& file) {
  if (db.value_of("PRAGMA application_id") != sqlite::kApplicationId)
    refuse_endpoint(file.native() + " is no database of Andon");
  if (sqlite::migrations_missing(db) > 0)
    refuse_endpoint(file.native() +
                    " has the schema of an older Andon; start this program with it once, then copy it");
}

void read_from(fs::path const& file, Read const& read) {
  if (!fs::exists(file)) refuse_endpoint("there is no database " + file.native());
  sqlite::Connection db(file.native(), sqlite::Mode::reader);
  db.execute("BEGIN");
  refuse_foreign(db, file);
  SqliteTables tables{db};
  read(tables);
  db.execute("ROLLBACK");
}

void read_from(postgres::Settings const& settings, Read const& read) {
  postgres::SqlConnection db{copying(settings), postgres::Access::read};
  db.queue(postgres::begin_reading(), {});
  if (db.ask({"look for the tables", "SELECT to_regclass('identity')::text"}, {})[0].is_null(0))
    refuse_endpoint("there is no store in " + settings.display_url());
  if (postgres::steps_missing(db) > 0)
    refuse_endpoint(settings.display_url() +
                    " has the schema of an older Andon; start this program with it once, then copy it");
  PostgresTables tables{db};
  read(tables);
  db.queue(postgres::rollback(), {});
  db.flush();
}

}  // namespace

Endpoint parse_endpoint(std::string_view url) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.starts_with("postgres://") || url.starts_with("postgresql://")) return postgres::Settings{url};
  if (url.starts_with(kSqlite) && url.size() > kSqlite.size() && url != "sqlite::memory:")
    return fs::path{url.substr(kSqlite.size())};
  refuse_endpoint("a store to copy is named like sqlite:/path/to/andon.db or postgres://user@host/database");
}

std::string display_url(Endpoint const& endpoint) {
  if (auto const* settings = std::get_if<postgres::Settings>(&endpoint)) return settings->display_url();
  return "sqlite:" + std::get<fs::path>(endpoint).native();
}

postgres::Settings copying(postgres::Settings settings) {
  using namespace std::chrono_literals;
  settings.set_limits({.statement = 0ms, .idle_in_transaction = 600'000ms});
  return settings;
}

void read_tables(Endpoint const& from, Read const& read) {
  std::visit([&](auto const& known) { read_from(known, read); }, from);
}

}  // namespace andon::store::transfer
