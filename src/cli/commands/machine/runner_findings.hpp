#pragma once

#include <string_view>
#include <vector>

#include "service/runners/runners.hpp"
#include "store/contract/examination.hpp"

namespace andon::cli {

/// The findings of `doctor` about runners on other hosts. The version is that of this program.
std::vector<store::Finding> runner_findings(service::Runners const& runners, std::string_view version);

}  // namespace andon::cli
