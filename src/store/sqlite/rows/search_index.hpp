#pragma once

#include <cstdint>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Thrown by a search on a reading connection while the full-text index is behind: the writer is to bring it
/// up to date.
struct SearchBehind {};

/// The full-text index costs little for a hundred texts at once and much for each alone, so a change only
/// notes that its text is stale; the index learns the texts when many wait or when somebody searches. How
/// many texts are stale; counts at most `most`.
std::int64_t stale_texts(Connection& db, std::int64_t most);
/// Learns as many as one unit of work can take. True when there are more.
bool learn_texts(Connection& db);

}  // namespace andon::store::sqlite
