#include "store/markdown/yaml/nesting.hpp"

#include <algorithm>
#include <vector>

namespace andon::store::markdown {

bool is_nested_too_deep(core::TaskId task, int below, ParentOf const& parent_of) {
  std::vector<core::TaskId> path{task};
  for (auto above = parent_of(task); above; above = parent_of(*above)) {
    if (std::ranges::find(path, *above) != path.end()) return false;
    path.push_back(*above);
    if (std::ssize(path) - 1 + below > core::kMostAbove) return true;
  }
  return false;
}

}  // namespace andon::store::markdown
