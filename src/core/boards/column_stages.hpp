#pragma once

#include <string>
#include <vector>

#include "core/model/stage.hpp"

namespace andon::core {

/// The column of finished work if the board names none: the one before a trailing `archived`, else the
/// last one. `names` is not empty.
std::size_t terminal_column(std::vector<std::string> const& names);

/// The stage of a column that names none, derived from the names of all columns in order.
Stage stage_by_name(std::vector<std::string> const& names, std::size_t at);

}  // namespace andon::core
