#pragma once

#include "core/model/board.hpp"

namespace andon::core {

/// What people read as the name of the board.
inline std::string const& title_of(Board const& board) {
  return board.title.empty() ? board.name : board.title;
}

}  // namespace andon::core
