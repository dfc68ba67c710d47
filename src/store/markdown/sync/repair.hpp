#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/markdown/files/task_name.hpp"

namespace andon::store::markdown {

// Rules for files that contradict one another. The repair and the examination, which only reports, share
// them.

/// The file that keeps a number which several files have: the first whose name begins with the number, else
/// the first of `names`. The caller puts the file that is in the index before the others.
std::string keeper_of(FileNumber number, std::vector<std::string> const& names);

/// The new name of a file whose name does not fit its task. A file with that name may exist already.
std::string repaired_name(FileNumber number, std::string_view title);

}  // namespace andon::store::markdown
