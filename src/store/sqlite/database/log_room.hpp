#pragma once

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Has room on the disk set aside for the commit of a usual batch, beyond what the log holds now. Throws
/// StoreError{no_space} when there is none. File systems that cannot do that are passed over, and a commit
/// that needs more may still find the disk full.
void reserve_log_room(Connection& db);

}  // namespace andon::store::sqlite
