#pragma once

#include "store/engine/flow_totals.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

using engine::BoardNamed;

/// Counts the rows of a database that has no totals yet, one commit per call. True when there is more to do.
bool catch_up_flow(Connection& db, BoardNamed const& board);

}  // namespace andon::store::sqlite
