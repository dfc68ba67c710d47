#pragma once

#include <cstdint>
#include <string>

#include "store/transfer/table_access.hpp"

namespace andon::store::transfer {

/// The extent of a copy.
struct Copied {
  std::int64_t tables = 0;
  std::int64_t rows = 0;
  std::string digest;  ///< SHA-256 of all rows, in hex; the same for each database with these rows
};

/// Replaces all rows of a database by those of another, and reads them back. Throws StoreError{damaged} with
/// the name of the table whose rows differ then. A part of the rows is in memory at a time.
Copied copy_tables(TableAccess& from, TableAccess& to);

/// The extent and digest of what a database holds.
Copied measure(TableAccess& tables);

}  // namespace andon::store::transfer
