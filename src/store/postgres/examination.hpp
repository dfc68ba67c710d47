#pragma once

#include <string_view>
#include <vector>

#include "store/contract/examination.hpp"

namespace andon::store::postgres {

/// Examines the database of a URL: whether it answers, its schema, its rules, its servers and its clock.
/// Changes nothing.
std::vector<Finding> examine(std::string_view url);

}  // namespace andon::store::postgres
