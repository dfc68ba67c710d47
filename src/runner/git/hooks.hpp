#pragma once

#include <string>
#include <vector>

#include "core/model/work_place.hpp"

namespace andon::runner {

/// The names of the hooks that a repository has, in order. Andon runs none of them.
std::vector<std::string> hook_names(core::WorkPlace const& place);

}  // namespace andon::runner
