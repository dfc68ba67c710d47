#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/board.hpp"

namespace andon::core {

/// A new board in one of the shipped shapes: `classic`, `queue` or `flow`.
std::optional<Board> board_from_template(std::string_view name);
std::span<std::string_view const> template_names();
/// Adds a column for work that waits for a verdict, behind the last column of work. The board must have no
/// such column yet.
void add_review_column(Board& board);

}  // namespace andon::core
