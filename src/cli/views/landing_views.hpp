#pragma once

#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/model/land_limits.hpp"

namespace andon::cli {

/// The findings of a question whether work lands, each with its first lines, indented.
std::string finding_rows(std::vector<core::LandFinding> const& findings);
/// The commands that answer the question, in one indented line; as one commit where that keeps something out.
std::string answers_to(std::vector<core::LandFinding> const& findings, core::TaskId task);

}  // namespace andon::cli
