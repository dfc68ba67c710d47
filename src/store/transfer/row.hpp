#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace andon::store::transfer {

/// The value of a column; `monostate` is null.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;
/// The values in the order of the columns of a `Table`.
using Row = std::vector<Value>;

}  // namespace andon::store::transfer
