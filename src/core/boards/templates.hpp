#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/board.hpp"

namespace andon::core {

/// A new board in one of the shipped shapes: `classic`, `queue` or `flow`.
std::optional<Board> board_from_template(std::string_view name);
std::span<std::string_view const> template_names();

}  // namespace andon::core
