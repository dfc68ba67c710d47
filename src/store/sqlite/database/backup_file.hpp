#pragma once

#include <filesystem>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Makes a copy of a database a backup of this time, which waits for its seal.
void add_backup_tables(Connection& db, core::Instant now);
/// The time of a backup; nothing for a database that is none.
std::optional<core::Instant> time_of_backup(Connection& db);
/// Throws StoreError for a file that is no backup, has a newer schema or is damaged.
void check_usable(Connection& db, std::filesystem::path const& file);

}  // namespace andon::store::sqlite
