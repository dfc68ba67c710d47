#include "core/model/worker.hpp"

#include <algorithm>

namespace andon::core {

bool serves(Worker const& worker, std::string_view board) {
  return std::ranges::any_of(worker.boards, [&](auto const& name) { return name == "*" || name == board; });
}

}  // namespace andon::core
