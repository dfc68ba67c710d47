#pragma once

#include "core/model/board.hpp"

namespace andon::core {

/// The name of the board for people: its title, or else its name.
inline std::string const& title_of(Board const& board) {
  return board.title.empty() ? board.name : board.title;
}

}  // namespace andon::core
