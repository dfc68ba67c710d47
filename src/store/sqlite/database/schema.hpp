#pragma once

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

inline constexpr char kApplicationId[] = "1634624623";  // "ando" in big-endian ASCII, as `file` shows it

/// Brings a database to the schema of this binary, all steps in one transaction. Throws StoreError for a file
/// that is not Andon's, for a newer schema, and for applied steps that differ from those of this binary.
/// `now` is stored beside each step.
void migrate(Connection& db, core::Instant now = {});

/// Throws StoreError for a database with a newer schema; for connections that only read.
void refuse_newer(Connection& db);

/// The number of schema steps that a database lacks. Throws StoreError in the cases in which `migrate` throws
/// it.
int migrations_missing(Connection& db);

/// Throws StoreError for a damaged file. Large files are not checked, so that opening stays quick; `andon
/// doctor` checks them.
void check_soundness(Connection& db);

}  // namespace andon::store::sqlite
