#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/model/task.hpp"
#include "store/contract/query.hpp"
#include "store/sql/database/connection.hpp"
#include "store/sql/rows/task_row.hpp"

namespace andon::store::sql {

/// A value of a sort key.
using SortValue = std::variant<std::int64_t, std::string>;
using SortKey = std::vector<SortValue>;

/// The SQL expressions of an order; the last one is the id.
std::vector<std::string> order_terms(Connection const& db, TaskOrder order);

/// The cursor of a page: the sort key of its last task, in a form that fits into a URL.
std::string cursor_of(TaskOrder order, SortKey const& key);
/// Refuses a text that is not a cursor of this order.
core::Result<SortKey> parse_cursor(TaskOrder order, std::string_view cursor);

}  // namespace andon::store::sql
