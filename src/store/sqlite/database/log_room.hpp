#pragma once

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Reserves room on the disk, beyond the current size of the log, for the commit of a usual batch. Throws
/// StoreError{no_space} when there is no room. File systems that cannot reserve room are ignored. A commit
/// that needs more may still fail on a full disk.
void reserve_log_room(Connection& db);

}  // namespace andon::store::sqlite
