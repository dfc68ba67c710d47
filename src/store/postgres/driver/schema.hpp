#pragma once

#include "core/time/time.hpp"
#include "store/postgres/session/sql_connection.hpp"

namespace andon::store::postgres {

/// Makes the schema of the URL, if it is missing, and brings it up to date under a lock, so that one server
/// does it. Throws StoreError{newer_schema} for the schema of a newer Andon.
void migrate(SqlConnection& db, std::string const& schema, core::Instant now);
/// The steps that the database lacks. Throws StoreError{newer_schema}.
std::size_t steps_missing(SqlConnection& db);
/// Throws StoreError{newer_schema}.
void refuse_newer(SqlConnection& db);

}  // namespace andon::store::postgres
