#pragma once

#include <vector>

#include "cli/command_line/environment.hpp"
#include "os/data/data_directory.hpp"
#include "store/contract/examination.hpp"

namespace andon::cli {

/// The findings about the bridge to Telegram: mistakes in its settings, and how the last server left it; none
/// where it is not set up.
std::vector<store::Finding> telegram_findings(os::DataDirectory const& data, Environment const& env);

}  // namespace andon::cli
