#pragma once

#include <compare>
#include <string>

#include "core/model/board.hpp"

namespace andon::store::engine {

/// The part of a pick scope that one pass over it offers.
enum class Part { all, first_class, other_classes };

/// The key of one index cursor of a pick: the pickable tasks of a column and lane, and of one tag or class
/// where the pick asks for it.
struct Queue {
  core::BoardId board = 0;
  std::string column;
  std::string queue_key;
  std::string tag{};
  Part part = Part::all;
  int class_rank = 0;
  auto operator<=>(Queue const&) const = default;
};

}  // namespace andon::store::engine
