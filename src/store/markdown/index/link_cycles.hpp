#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// The tasks that each task refers to.
using Links = std::map<core::TaskId, std::vector<core::TaskId>>;

/// Ways round along the links, each from a task to itself; at most `most` of them. A link to a task that is
/// not in the map leads nowhere. The cost is that of looking at each link once.
std::vector<std::vector<core::TaskId>> cycles_in(Links const& links, std::size_t most);

}  // namespace andon::store::markdown
