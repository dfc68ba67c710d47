#pragma once

#include <cstdint>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The number of stale texts, which the full-text index does not contain; counts at most `most`. Indexing a
/// hundred texts at once is cheap, indexing each alone is not. So a change only marks its text as stale.
/// Stale texts are indexed when many wait or when a search needs them.
std::int64_t stale_texts(Connection& db, std::int64_t most);
/// Indexes as many stale texts as one unit of work may. True when there may be more.
bool index_stale_texts(Connection& db);

}  // namespace andon::store::sqlite
