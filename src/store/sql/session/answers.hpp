#pragma once

#include "store/engine/statistics.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

// The answers to single questions of `Session::statistics`.
void answer(Connection& db, engine::AskCount const& ask, engine::Statistics& out);
void answer(Connection& db, engine::AskMoveTotals const& ask, engine::Statistics& out);
void answer(Connection& db, engine::AskFinishedTotals const& ask, engine::Statistics& out);
void answer(Connection& db, engine::AskSpreads const& ask, engine::Statistics& out);
void answer(Connection& db, engine::AskRunTotals const& ask, engine::Statistics& out);
void answer(Connection& db, engine::AskTallies const& ask, engine::Statistics& out);

}  // namespace andon::store::sql
