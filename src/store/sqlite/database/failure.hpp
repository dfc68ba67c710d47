#pragma once

#include <string_view>

#include <sqlite3.h>

#include "store/contract/store.hpp"

namespace andon::store::sqlite {

/// What the last failed call on the connection means for the caller.
StoreError failure(sqlite3* db, int code, std::string_view doing);

/// Whether nothing may be written after this failure of a commit: what reached the disk is unknown.
bool ends_writing(sqlite3* db, int code);

}  // namespace andon::store::sqlite
