#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/task.hpp"

namespace andon::store::markdown {

// What becomes of files that contradict one another; the same for those who repair and those who only tell.

/// Of several files with one number, in the order of their names, the one that keeps it: the first whose name
/// begins with the number, else the first.
std::string keeper_of(core::TaskId id, std::vector<std::string> const& names);

/// The name a file gets whose name does not fit its task. It may be taken.
std::string repaired_name(core::TaskId id, std::string_view title);

}  // namespace andon::store::markdown
