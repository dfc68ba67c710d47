#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "store/engine/listing.hpp"
#include "store/sql/session/list_walk.hpp"

namespace andon::store::sql {

/// Returns the next task at each call, and nothing at the end.
using NextTask = std::function<std::optional<Passed>()>;

/// The tasks after the key, in order, whether they fit the filter or not. `filter` and `after` must outlive
/// the returned function.
NextTask tasks_in_order(Connection& db, TaskFilter const& filter,
                        std::vector<engine::BoardLoad> const& boards, TaskOrder order, SortKey const& after,
                        bool reverse);

}  // namespace andon::store::sql
