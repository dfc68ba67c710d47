#pragma once

#include "store/postgres/session/sql_connection.hpp"

namespace andon::store::postgres {

/// Makes the texts that searches find anew from the tasks and notes, in the transaction of the caller.
void rebuild_texts(SqlConnection& db);

}  // namespace andon::store::postgres
