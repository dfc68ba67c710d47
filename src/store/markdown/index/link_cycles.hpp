#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// The tasks that each task refers to.
using Links = std::map<core::TaskId, std::vector<core::TaskId>>;

/// Cycles along the links, each from a task back to itself; at most `most`. Links to tasks that are not in
/// the map are ignored. The walk follows each link once.
std::vector<std::vector<core::TaskId>> cycles_in(Links const& links, std::size_t most);

}  // namespace andon::store::markdown
