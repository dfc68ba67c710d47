#pragma once

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

inline constexpr char kApplicationId[] = "1634624623";  // "ando" in big-endian ASCII, as `file` shows it

/// Brings a database to the schema of this binary, all steps in one transaction. Refuses with StoreError a
/// file that is not Andon's, one whose schema is newer, and one whose applied steps differ from ours.
/// `now` is noted beside each step.
void migrate(Connection& db, core::Instant now = {});

/// Refuses a database whose schema is newer; for those who only read.
void refuse_newer(Connection& db);

/// How many steps of this binary's schema a database lacks. Refuses with StoreError what `migrate` refuses.
int migrations_missing(Connection& db);

/// Refuses a damaged file. Large files are left to `andon doctor`, so that opening stays quick.
void check_soundness(Connection& db);

}  // namespace andon::store::sqlite
