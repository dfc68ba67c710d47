#include "main/commands/database_commands.hpp"

#include "cli/command_line/invocation.hpp"
#include "main/data_root.hpp"
#include "main/installation.hpp"
#include "os/data/data_directory.hpp"
#include "os/system_error.hpp"
#include "store/open.hpp"
#include "store/postgres/driver/grants.hpp"
#include "store/postgres/open_postgres.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using cli::Takes;
using core::Code;
using core::Result;

core::Error as_error(store::StoreError const& error) { return {code_of(error), error.what(), {}, {}, {}}; }

Result<int> run_grant_sql(Invocation& in) try {
  auto const role = in.given().value("role").value_or("andon");
  auto const schema = in.given().value("schema").value_or("andon");
  in.screen().print(store::postgres::grant_sql(role, schema));
  return 0;
} catch (store::StoreError const& error) {
  return core::refuse(as_error(error));
}

Result<int> run_migrate(Invocation& in) try {
  ANDON_TRY(auto const place, data_place(in));
  auto const url = os::store_of(place.root, place.store);
  if (!store::is_postgres(url))
    return core::refuse(
        Code::kInvalidInput,
        "name the PostgreSQL database with --store, as its owner; other stores are brought up "
        "to date when they are opened",
        "store");
  store::postgres::migrate(url, in.env().clock.now());
  in.screen().print(store::display_url(url) + " has the schema of this version\n");
  return 0;
} catch (store::StoreError const& error) {
  return core::refuse(as_error(error));
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

}  // namespace

std::vector<cli::NamedCommand> database_commands() {
  return {
      {"store grant-sql",
       "",
       "Print the SQL that gives a role of PostgreSQL no more rights than a server needs.",
       {{"role", 0, Takes::value, "Name of the role (default andon)"},
        {"schema", 0, Takes::value, "Schema of the tables (default andon)"}},
       &run_grant_sql},
      {"store migrate",
       "",
       "Make or update the tables of a PostgreSQL store, as the owner of the database.",
       {},
       &run_migrate},
  };
}

}  // namespace andon::main
