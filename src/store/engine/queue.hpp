#pragma once

#include <compare>
#include <limits>
#include <string>

#include "core/id.hpp"
#include "core/tasks/pick.hpp"

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

/// A key before those of all tasks.
inline core::PickKey first_key() {
  constexpr int kFirst = std::numeric_limits<int>::min();
  return {kFirst, kFirst, kFirst, {}, 0};
}
/// The first key after that of a task.
inline core::PickKey next_key(core::PickKey key) {
  key.id = core::TaskId{key.id + 1};
  return key;
}

}  // namespace andon::store::engine
