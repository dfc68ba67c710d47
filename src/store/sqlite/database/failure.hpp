#pragma once

#include <string_view>

#include <sqlite3.h>

#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {

/// The StoreError for the last failed call on the connection.
StoreError failure(sqlite3* db, int code, std::string_view doing);

/// Whether the process may write nothing more after this failure of a commit, because it is unknown which
/// changes reached the disk.
bool ends_writing(sqlite3* db, int code);

}  // namespace andon::store::sqlite
