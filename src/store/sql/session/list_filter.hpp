#pragma once

#include <string>

#include "store/contract/query.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

/// Whether the filter asks for archived tasks, or names them by a status or stage.
bool shows_archived(TaskFilter const& filter);
/// The conditions of a filter as one expression of SQL, which uses `$1` to `$14`.
std::string conditions_of(Connection const& db, TaskFilter const& filter);
void bind_filter(Statement& statement, TaskFilter const& filter);

}  // namespace andon::store::sql
