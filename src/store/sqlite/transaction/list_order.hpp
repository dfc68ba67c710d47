#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/model/task.hpp"
#include "store/contract/query.hpp"
#include "store/sqlite/database/statements.hpp"
#include "store/sqlite/rows/task_row.hpp"

namespace andon::store::sqlite {

/// A value of a sort key.
using SortValue = std::variant<std::int64_t, std::string>;
using SortKey = std::vector<SortValue>;

/// The expressions a list is ordered by, ending with the id.
std::vector<std::string> order_terms(TaskOrder order);

/// A cursor is the sort key of the last task of a page, in a form that can stand in a URL.
std::string cursor_of(TaskOrder order, SortKey const& key);
/// Refuses what is not a cursor of this order.
core::Result<SortKey> parse_cursor(TaskOrder order, std::string_view cursor);

}  // namespace andon::store::sqlite
