#pragma once

#include <cstdint>
#include <string>

#include "core/id.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

// Statements that several files run.
inline Query const kTaskById{"task_by_id"};

/// The number in the first row of the answer, 0 without a row.
std::int64_t number(Connection& db, Query const& query);

/// The number of the last event of the history, 0 for an empty one.
core::EventSeq last_seq(Connection& db);

/// The text that distinguishes this database from all others, empty for one that has none.
std::string incarnation_of(Connection& db);

}  // namespace andon::store::sql
