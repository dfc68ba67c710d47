#pragma once

#include <filesystem>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Copies all pages of a database, as the connection sees it now, into a new file (0600) that is on the disk
/// when this returns; the file is removed when it cannot be written. It has no write-ahead log beside it.
/// Throws StoreError.
void copy_database(Connection& from, std::filesystem::path const& to);

/// Waits until a file and its name are on the disk.
void sync_file(std::filesystem::path const& file);

}  // namespace andon::store::sqlite
