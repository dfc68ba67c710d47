#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/runners/runners.hpp"

namespace andon::cli {

/// The runners, and below them what is wrong with each.
std::string runner_list(service::Runners const& runners, Screen const& screen);

}  // namespace andon::cli
