#pragma once

#include "store/postgres/connection/statement.hpp"

namespace andon::store::postgres {

/// Waits for the lock of the store, which ends with the transaction (decision 0035). Its second number is
/// that of the schema, because several stores may be in one database. The statement behind it sees all that
/// was committed before.
Statement const& lock_store();
/// Shows all servers that something was written; runs before the commit, under the lock.
Statement const& raise_turn();

}  // namespace andon::store::postgres
