#pragma once

#include <filesystem>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Copies all pages of a database, as the connection sees it now, into a new file (mode 0600). The file is on
/// the disk when this returns, without a write-ahead log beside it. The file is removed when it cannot be
/// written completely. Throws StoreError.
void copy_database(Connection& from, std::filesystem::path const& to);

/// Waits until a file and its name are on the disk.
void sync_file(std::filesystem::path const& file);

}  // namespace andon::store::sqlite
