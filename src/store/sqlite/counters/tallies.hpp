#pragma once

#include <cstdint>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The number of counts that, with the pending tallies, differ from the tasks. Reads all counts and tasks.
std::int64_t wrong_tallies(Connection& db);

}  // namespace andon::store::sqlite
